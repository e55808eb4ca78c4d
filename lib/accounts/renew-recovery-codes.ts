import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { assertSteppedUp } from './guards'
import { issueRecoveryCodes } from './issue-recovery-codes'
import { accountError } from './messages'
import type { CodeInput } from './schema'
import { spendSecondFactor } from './spend-second-factor'

/**
 * Replaces the recovery codes with ten new ones, after checking a code of the second factor. Without an authenticator
 * app, the user may send no code, but must then have given the second factor within the last ten minutes.
 * @returns the new codes in plain text.
 * @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS, STEP_UP_REQUIRED
 */
export async function renewRecoveryCodes(ctx: Context<UserActor>, { code }: Partial<CodeInput>): Promise<string[]> {
  const { userId, hasTwoFactor } = ctx.actor
  if (code === undefined) {
    if (!hasTwoFactor) throw accountError('TWO_FACTOR_IS_OFF')
    const hasApp = await ctx.db.totpCredential.count({ where: { userId, confirmedAt: { not: null } } })
    if (hasApp > 0) throw accountError('WRONG_CODE')
    assertSteppedUp(ctx)
  } else await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  return transaction(ctx, (tx) => issueRecoveryCodes(tx, userId))
}
