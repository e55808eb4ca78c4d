import 'server-only'
import type { User } from '@prisma/client'
import { passwordMark } from '@/lib/accounts/finish-login'
import { logIn } from '@/lib/accounts/log-in'
import { hasTwoFactor } from '@/lib/accounts/queries'
import type { LoginInput } from '@/lib/accounts/schema'
import type { Context } from '@/lib/infra/context'
import { readDevice } from '../cookies/device-cookie'
import { secondStepCookie } from '../cookies/second-step-cookie'
import { signInBrowser } from './sign-in-browser'

/**
 * Checks a username or email address with its password, and signs the browser in. If the account has a second factor,
 * the browser is not signed in yet. It then gets the cookie with which finishBrowserLogin() goes on.
 * @returns the user, or null when the second factor is still missing
 * @throws the errors of logIn()
 */
export async function logInBrowser(ctx: Context, input: LoginInput, request: Request): Promise<User | null> {
  const user = await logIn(ctx, input, await readDevice())
  if (await hasTwoFactor(ctx, user.id)) {
    await secondStepCookie.write({ userId: user.id, mark: passwordMark(user) })
    return null
  }
  await signInBrowser(ctx, user, request, { isPasswordOnly: true })
  return user
}
