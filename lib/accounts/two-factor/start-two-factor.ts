import 'server-only'
import type { Context } from '@/lib/infra/context'
import { seal } from '@/lib/infra/crypto'
import { newTotpSecret, totpUri } from '@/lib/infra/totp'
import type { UserActor } from '@/lib/kernel/actor'
import { assertOwnPassword, assertSteppedUp } from '../guards'
import { accountError } from '../messages'
import type { StartTwoFactorInput } from '../schema'
import { TOTP_PURPOSE } from './spend-second-factor'

/**
 * Checks the password and starts to set up an authenticator app. The second factor stays off until a first code proves
 * that the app has the secret. An account with a passkey already has a second factor, so it must have been given
 * recently. Otherwise a thief with the session and the password could add an app of their own.
 * @returns the secret, and a URI with the same secret for a QR code.
 * @throws STEP_UP_REQUIRED, WRONG_PASSWORD, TOO_MANY_REQUESTS, TWO_FACTOR_IS_ON
 */
export async function startTwoFactor(
  ctx: Context<UserActor>,
  { password }: StartTwoFactorInput,
): Promise<{ secret: string; uri: string }> {
  if (ctx.actor.hasTwoFactor) assertSteppedUp(ctx)
  await assertOwnPassword(ctx, password)
  const { userId, username } = ctx.actor
  const secret = newTotpSecret()
  const secretEncrypted = seal(TOTP_PURPOSE, secret)
  const written = await ctx.db.$executeRaw`
    INSERT INTO "TotpCredential" ("userId", "secretEncrypted") VALUES (${userId}, ${secretEncrypted})
    ON CONFLICT ("userId") DO UPDATE SET "secretEncrypted" = EXCLUDED."secretEncrypted", "lastUsedStep" = 0
      WHERE "TotpCredential"."confirmedAt" IS NULL`
  if (written === 0) throw accountError('TWO_FACTOR_IS_ON')
  return { secret, uri: totpUri(secret, username ?? String(userId)) }
}
