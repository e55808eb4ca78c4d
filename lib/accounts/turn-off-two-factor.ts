import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { noteTwoFactorChange } from './note-two-factor-change'
import type { CodeInput } from './schema'
import { spendSecondFactor } from './spend-second-factor'

/**
 * Turns the second factor off, after checking one last code.
 * @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS
 */
export async function turnOffTwoFactor(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await transaction(ctx, async (tx) => {
    await tx.db.totpCredential.deleteMany({ where: { userId } })
    await tx.db.recoveryCode.deleteMany({ where: { userId } })
    await noteTwoFactorChange(tx, 'off')
  })
}
