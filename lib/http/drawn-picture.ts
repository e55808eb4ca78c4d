import 'server-only'
import { type Context, createContext } from '@/lib/infra/context'
import type { Actor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { answer } from './answer'
import { clientIp } from './client-ip'
import { readActor } from './session'

/**
 * Answers with a picture that is drawn on demand. Most pictures are the same for everybody, so the session is read only
 * when `draw` calls `whoAsks`.
 */
export function drawnPicture(
  request: Request,
  draw: (ctx: Context, whoAsks: () => Promise<Actor>) => Promise<Buffer | null>,
): Promise<Response> {
  return answer(request, async (requestId) => {
    const ctx = createContext({ actor: { kind: 'visitor' } as Actor, requestId, ip: clientIp(request.headers) })
    const picture = await draw(ctx, readActor)
    if (!picture) throw platformError('NOT_FOUND')
    return new Response(new Uint8Array(picture), {
      headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=300, s-maxage=300' },
    })
  })
}
