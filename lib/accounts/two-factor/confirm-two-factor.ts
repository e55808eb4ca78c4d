import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { issueRecoveryCodes } from './issue-recovery-codes'
import { limitSecurityChanges } from '../limit-security-changes'
import { lockOwnAccount } from '../lock-own-account'
import { markSteppedUp } from '../mark-stepped-up'
import { accountError } from '../messages'
import { secureTwoFactorChange } from './secure-two-factor-change'
import type { CodeInput } from '../schema'
import { matchingStep, spendStep } from './spend-second-factor'

/** Limits guesses, so that a stolen session cannot find the code during a set-up. */
const wrongFirstCodes: RateLimit = { name: 'two-factor-first', points: 10, windowSeconds: 15 * 60 }

/**
 * Turns the second factor on, given the first code of the authenticator app. Signs out all other devices and notifies
 * the owner by email.
 * @returns the recovery codes, which are shown only once.
 * @throws WRONG_CODE, TOO_MANY_REQUESTS, TWO_FACTOR_IS_ON, TWO_FACTOR_IS_OFF (the set-up was not started),
 *   NOT_SIGNED_IN
 */
export async function confirmTwoFactor(ctx: Context<UserActor>, { code }: CodeInput): Promise<string[]> {
  const { userId } = ctx.actor
  const retryAfterSeconds = await consume(wrongFirstCodes, String(userId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'code' })
  const now = ctx.clock.now()
  const confirm = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx)
    const credential = await tx.db.totpCredential.findUnique({ where: { userId } })
    if (!credential) throw accountError('TWO_FACTOR_IS_OFF')
    if (credential.confirmedAt) throw accountError('TWO_FACTOR_IS_ON')
    const step = matchingStep(credential, code, now)
    if (step === null || !(await spendStep(tx.db, userId, step))) throw accountError('WRONG_CODE')
    const confirmedAt = await secureTwoFactorChange(tx, 'on')
    await tx.db.totpCredential.update({ where: { userId }, data: { confirmedAt } })
    await markSteppedUp(tx)
    return issueRecoveryCodes(tx, userId)
  }
  const codes = await limitSecurityChanges(ctx, () => transaction(ctx, confirm))
  await giveBack(wrongFirstCodes, String(userId))
  return codes
}
