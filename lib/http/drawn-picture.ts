import 'server-only'
import { type Context, createContext } from '@/lib/infra/context'
import type { Actor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { answer } from './answer'
import { clientIp } from './client-ip'
import { readActor } from './session'

const PUBLIC = 'public, max-age=300, s-maxage=300'

/**
 * Responds with a picture of this type that is drawn on demand, or with 404 when `draw` returns null. Most pictures are
 * the same for everyone, so the session is read only when `draw` calls `whoAsks`. The picture is then for this person
 * only, and no cache may keep it.
 */
export function drawnPicture(
  request: Request,
  type: 'image/png' | 'image/jpeg',
  draw: (ctx: Context, whoAsks: () => Promise<Actor>) => Promise<Buffer | null>,
): Promise<Response> {
  return answer(request, async (requestId) => {
    const ctx = createContext({ actor: { kind: 'visitor' } as Actor, requestId, ip: clientIp(request.headers) })
    let isForOne = false
    const picture = await draw(ctx, () => {
      isForOne = true
      return readActor()
    })
    if (!picture) throw platformError('NOT_FOUND')
    return new Response(new Uint8Array(picture), {
      headers: { 'Content-Type': type, 'Cache-Control': isForOne ? 'private, no-store' : PUBLIC },
    })
  })
}
