import 'server-only'
import type { User } from '@prisma/client'
import { noteNewLogin } from '@/lib/accounts/note-new-login'
import { startSession } from '@/lib/accounts/start-session'
import type { Context } from '@/lib/infra/context'
import { readDevice, rememberDevice } from './device-cookie'
import { setSessionCookie } from './session'

type Entry = { isFirst?: boolean; hasGivenSecondFactor?: boolean }

/** Signs this browser in: a session, its cookie, and a word to the owner when the browser is a strange one. */
export async function enter(ctx: Context, user: User, request: Request, entry: Entry = {}): Promise<void> {
  const userAgent = request.headers.get('user-agent') ?? ''
  const isKnown = (await readDevice()).isKnownTo(user.id)
  const steppedUpAt = entry.hasGivenSecondFactor ? ctx.clock.now() : null
  await setSessionCookie(await startSession(ctx, { userId: user.id, userAgent, steppedUpAt }), user.id)
  await rememberDevice(user.id)
  if (!isKnown && !entry.isFirst) await noteNewLogin(ctx, user, userAgent)
}
