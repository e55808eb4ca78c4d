import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { assertSteppedUp } from '../guards'
import { issueRecoveryCodes } from './issue-recovery-codes'
import { issueUndo } from '../issue-token'
import { limitSecurityChanges } from '../limit-security-changes'
import { lockOwnAccount } from '../lock-own-account'
import { twoFactorMail, undoLink } from '../mails'
import { accountError } from '../messages'
import { getSecondFactors } from '../queries'
import type { CodeInput } from '../schema'
import { spendSecondFactor } from './spend-second-factor'

/**
 * Replaces the recovery codes with ten new ones, after checking a code of the second factor. Without an authenticator
 * app, the user may send no code, but must then have given the second factor within the last ten minutes. The owner
 * gets an email with a link that gives the account back for three days, and that ends the new codes.
 * @returns the new codes in plain text.
 * @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS, STEP_UP_REQUIRED, NOT_SIGNED_IN
 */
export async function renewRecoveryCodes(ctx: Context<UserActor>, { code }: Partial<CodeInput>): Promise<string[]> {
  const { userId, hasTwoFactor } = ctx.actor
  if (code === undefined) {
    if (!hasTwoFactor) throw accountError('TWO_FACTOR_IS_OFF')
    const { hasApp } = await getSecondFactors(ctx, userId)
    if (hasApp) throw accountError('WRONG_CODE')
    assertSteppedUp(ctx)
  } else await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  const renew = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx)
    const user = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
    const undo = await issueUndo(tx, user)
    await queueMail(tx, [twoFactorMail(user.email, 'codes', undoLink(tx.appUrl, undo.secret), undo.id)])
    return issueRecoveryCodes(tx, userId)
  }
  return limitSecurityChanges(ctx, () => transaction(ctx, renew))
}
