import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { limitSecurityChanges } from '../limit-security-changes'
import { lockOwnAccount } from '../lock-own-account'
import { hasTwoFactor } from '../queries'
import { secureTwoFactorChange } from './secure-two-factor-change'
import type { CodeInput } from '../schema'
import { spendSecondFactor } from './spend-second-factor'

/**
 * Removes the authenticator app after checking one last code. Without passkeys this turns two-factor sign-in off.
 * @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS, NOT_SIGNED_IN
 */
export async function removeAuthenticatorApp(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  const remove = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx)
    await tx.db.totpCredential.deleteMany({ where: { userId } })
    // A passkey remains a second factor, and the recovery codes remain for it.
    const isOn = await hasTwoFactor(tx, userId)
    if (!isOn) await tx.db.recoveryCode.deleteMany({ where: { userId } })
    await secureTwoFactorChange(tx, isOn ? 'passkeys' : 'off')
  }
  await limitSecurityChanges(ctx, () => transaction(ctx, remove))
}
