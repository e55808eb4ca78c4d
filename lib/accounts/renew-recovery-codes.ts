import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { issueRecoveryCodes } from './issue-recovery-codes'
import type { CodeInput } from './schema'
import { spendSecondFactor } from './spend-second-factor'

/**
 * Replaces the recovery codes with ten new ones.
 * @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS
 */
export async function renewRecoveryCodes(ctx: Context<UserActor>, { code }: CodeInput): Promise<string[]> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  return transaction(ctx, (tx) => issueRecoveryCodes(tx, userId))
}
