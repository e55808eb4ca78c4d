import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { assertOwnPassword } from './guards'
import { markSteppedUp } from './mark-stepped-up'
import type { CodeInput, StartTwoFactorInput } from './schema'
import type { PasskeyInput } from './passkeys/passkey-schema'
import { type PasskeyRound, spendPasskey } from './passkeys/spend-passkey'
import { hasTwoFactor } from './queries'
import { countAttempt, spendSecondFactor } from './two-factor/spend-second-factor'

/**
 * Checks the second factor again in this session, for actions that need a recent check
 * (docs/product.md#two-factor-sign-in).
 * @throws TWO_FACTOR_IS_OFF, WRONG_CODE, TOO_MANY_REQUESTS
 */
export async function stepUp(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await markSteppedUp(ctx)
}

/**
 * Checks a passkey in this session, as stepUp() checks a code.
 * @throws PASSKEY_EXPIRED, PASSKEY_REFUSED, TOO_MANY_REQUESTS
 */
export async function stepUpWithPasskey(
  ctx: Context<UserActor>,
  { credential }: PasskeyInput,
  round: PasskeyRound,
): Promise<void> {
  const { userId, sessionId } = ctx.actor
  const spent = { ...round, credential, purpose: 'stepUp', userId, sessionId } as const
  await countAttempt({ userId, isKnownDevice: true }, () => spendPasskey(ctx, spent))
  await markSteppedUp(ctx)
}

/**
 * Checks the password in this session, for an account without a second factor. With one, the password is not enough.
 * @throws STEP_UP_REQUIRED, WRONG_PASSWORD, TOO_MANY_REQUESTS
 */
export async function stepUpWithPassword(ctx: Context<UserActor>, { password }: StartTwoFactorInput): Promise<void> {
  if (await hasTwoFactor(ctx, ctx.actor.userId)) throw platformError('STEP_UP_REQUIRED')
  await assertOwnPassword(ctx, password)
  await markSteppedUp(ctx)
}
