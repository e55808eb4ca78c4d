import 'server-only'
import type { User } from '@prisma/client'
import { finishLogin } from '@/lib/accounts/finish-login'
import { accountError } from '@/lib/accounts/messages'
import type { CodeInput } from '@/lib/accounts/schema'
import type { Context } from '@/lib/infra/context'
import { readDevice } from '../cookies/device-cookie'
import { secondStepCookie } from '../cookies/second-step-cookie'
import { signInBrowser } from './sign-in-browser'

/**
 * Signs a browser in by the code of a second factor. The cookie that logInBrowser() set proves that the password was
 * right.
 * @throws SECOND_STEP_EXPIRED, and the other errors of finishLogin()
 */
export async function finishBrowserLogin(ctx: Context, { code }: CodeInput, request: Request): Promise<User> {
  const step = await secondStepCookie.read()
  if (!step) throw accountError('SECOND_STEP_EXPIRED')
  const isKnownDevice = (await readDevice()).isKnownTo(step.userId, step.mark)
  const user = await finishLogin(ctx, { ...step, code, isKnownDevice })
  await secondStepCookie.clear()
  await signInBrowser(ctx, user, request)
  return user
}
