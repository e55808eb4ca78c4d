import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'
import { accountError } from './messages'
import { spendSecondFactor } from './spend-second-factor'

/** A keyed hash of the password hash. It ties an unfinished login to that password, so that a new password ends it. */
export function passwordMark(user: Pick<User, 'passwordHash'>): string {
  return keyedHash('second-step', user.passwordHash)
}

/** Whether a login to this account needs a second factor. */
export async function hasTwoFactor(ctx: Context, userId: number): Promise<boolean> {
  const confirmed = { userId, confirmedAt: { not: null } }
  return (await ctx.db.totpCredential.count({ where: confirmed })) > 0
}

type SecondStep = { userId: number; mark: string; code: string; isKnownDevice: boolean }

/**
 * Finishes a login whose password was checked just before, by checking the second factor.
 * @throws SECOND_STEP_EXPIRED, WRONG_CODE, TOO_MANY_REQUESTS; TWO_FACTOR_IS_OFF when it was turned off in the meantime
 */
export async function finishLogin(ctx: Context, { mark, ...step }: SecondStep): Promise<User> {
  const user = await ctx.db.user.findFirst({ where: { id: step.userId, deletedAt: null } })
  if (!user || !isSameSecret(mark, passwordMark(user))) throw accountError('SECOND_STEP_EXPIRED')
  await spendSecondFactor(ctx, step)
  return user
}
