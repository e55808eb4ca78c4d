import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'
import { accountError } from './messages'
import type { PasskeyInput } from './passkeys/passkey-schema'
import { type PasskeyRound, spendPasskey } from './passkeys/spend-passkey'
import { countAttempt, spendSecondFactor } from './two-factor/spend-second-factor'

/**
 * Returns a keyed hash of the password hash. An unfinished login carries this hash, so a new password ends the login.
 */
export function passwordMark(user: Pick<User, 'passwordHash'>): string {
  return keyedHash('second-step', user.passwordHash)
}

type SecondStep = { userId: number; mark: string; isKnownDevice: boolean }

/**
 * Checks the second factor of a login whose password was right a moment ago.
 * @throws SECOND_STEP_EXPIRED, WRONG_CODE, TOO_MANY_REQUESTS; TWO_FACTOR_IS_OFF when the second factor was turned off
 *   in the meantime and the code has six digits
 */
export async function finishLogin(ctx: Context, step: SecondStep & { code: string }): Promise<User> {
  const user = await userOfStep(ctx, step)
  await spendSecondFactor(ctx, step)
  return user
}

/**
 * Checks a passkey as the second factor of a login whose password was right a moment ago. From then on the passkey may
 * sign in alone, because its owner also knows the current password (ADR 0062).
 * @throws SECOND_STEP_EXPIRED, PASSKEY_EXPIRED, PASSKEY_REFUSED, TOO_MANY_REQUESTS
 */
export async function finishLoginWithPasskey(
  ctx: Context,
  { credential }: PasskeyInput,
  { waiting, site, ...step }: SecondStep & PasskeyRound,
): Promise<User> {
  const user = await userOfStep(ctx, step)
  const spent = { waiting, site, credential, purpose: 'secondStep', userId: user.id, sessionId: null } as const
  const { id } = await countAttempt(step, () => spendPasskey(ctx, spent))
  await ctx.db.passkey.updateMany({ where: { id }, data: { passwordMark: step.mark } })
  return user
}

async function userOfStep(ctx: Context, { userId, mark }: SecondStep): Promise<User> {
  const user = await ctx.db.user.findFirst({ where: { id: userId, deletedAt: null } })
  if (!user || !isSameSecret(mark, passwordMark(user))) throw accountError('SECOND_STEP_EXPIRED')
  return user
}
