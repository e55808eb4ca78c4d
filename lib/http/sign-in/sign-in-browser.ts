import 'server-only'
import type { User } from '@prisma/client'
import { passwordMark } from '@/lib/accounts/finish-login'
import { noteNewLogin } from '@/lib/accounts/note-new-login'
import { startSession } from '@/lib/accounts/start-session'
import type { Context } from '@/lib/infra/context'
import { readDevice, rememberDevice } from '../cookies/device-cookie'
import { setSessionCookie } from '../session'

type SignIn = { isFirst?: boolean; isPasswordOnly?: boolean }

/**
 * Signs a browser in: opens a session, sets its cookie, remembers the browser, and queues an email to the user when the
 * browser is new to the account. A sign-up (`isFirst`) causes no email.
 * @param user as it was read when the login was checked
 * @param signIn.isPasswordOnly whether nothing but the password was checked
 * @throws INVALID_LOGIN when the password has changed since, SECOND_STEP_EXPIRED when a second factor is needed now
 */
export async function signInBrowser(ctx: Context, user: User, request: Request, signIn: SignIn = {}): Promise<void> {
  const userAgent = request.headers.get('user-agent') ?? ''
  const isKnown = (await readDevice()).isKnownTo(user.id, passwordMark(user))
  // The user has just given the password, and the second factor if the account has one.
  const steppedUpAt = ctx.clock.now()
  const { isPasswordOnly = false } = signIn
  const session = { userId: user.id, userAgent, steppedUpAt, checkedHash: user.passwordHash, isPasswordOnly }
  await setSessionCookie(await startSession(ctx, session), user.id)
  await rememberDevice(user)
  if (!isKnown && !signIn.isFirst) await noteNewLogin(ctx, user, userAgent)
}
