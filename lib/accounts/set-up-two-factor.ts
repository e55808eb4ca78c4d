import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { seal } from '@/lib/infra/crypto'
import { newTotpSecret, totpUri } from '@/lib/infra/totp'
import type { UserActor } from '@/lib/kernel/actor'
import { newRecoveryCode } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { assertOwnPassword } from './guards'
import { twoFactorMail } from './mails'
import { accountError } from './messages'
import type { CodeInput, StartTwoFactorInput } from './schema'
import { matchingStep, recoveryCodeHash, spendStep, TOTP_PURPOSE, spendSecondFactor } from './spend-second-factor'

const RECOVERY_CODES = 10

/**
 * Begins setting up an authenticator app, for whoever knows the password. Nothing counts until a first code proves that the
 * app has the secret.
 * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS, TWO_FACTOR_IS_ON
 */
export async function startTwoFactor(
  ctx: Context<UserActor>,
  { password }: StartTwoFactorInput,
): Promise<{ secret: string; uri: string }> {
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

/**
 * Turns the second factor on with the app's first code, signs every other device out and tells the owner.
 * @returns the recovery codes, which are shown this once.
 * @throws WRONG_CODE, TWO_FACTOR_IS_ON, TWO_FACTOR_IS_OFF (not begun)
 */
export async function confirmTwoFactor(ctx: Context<UserActor>, { code }: CodeInput): Promise<string[]> {
  const { userId, sessionId } = ctx.actor
  const now = ctx.clock.now()
  return transaction(ctx, async (tx) => {
    const credential = await tx.db.totpCredential.findUnique({ where: { userId } })
    if (!credential) throw accountError('TWO_FACTOR_IS_OFF')
    if (credential.confirmedAt) throw accountError('TWO_FACTOR_IS_ON')
    const step = matchingStep(credential, code, now)
    if (step === null || !(await spendStep(tx.db, userId, step))) throw accountError('WRONG_CODE')
    await tx.db.totpCredential.update({ where: { userId }, data: { confirmedAt: now } })
    await tx.db.session.update({ where: { id: sessionId }, data: { stepUpAt: now } })
    await noteChange(tx, 'on')
    return issueRecoveryCodes(tx, userId)
  })
}

/**
 * Turns the second factor off, with one last code.
 * @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS
 */
export async function turnOffTwoFactor(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await transaction(ctx, async (tx) => {
    await tx.db.totpCredential.deleteMany({ where: { userId } })
    await tx.db.recoveryCode.deleteMany({ where: { userId } })
    await noteChange(tx, 'off')
  })
}

/** Ten new recovery codes in place of the old ones. @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS */
export async function renewRecoveryCodes(ctx: Context<UserActor>, { code }: CodeInput): Promise<string[]> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  return transaction(ctx, (tx) => issueRecoveryCodes(tx, userId))
}

/** Proves the second factor once more in this session, for acts that ask for a fresh one (DECISIONS 39). */
export async function stepUp(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId, sessionId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await ctx.db.session.update({ where: { id: sessionId }, data: { stepUpAt: ctx.clock.now() } })
}

async function issueRecoveryCodes(tx: Context, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  await tx.db.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: recoveryCodeHash(userId, code) })),
  })
  return codes
}

/** Whoever came in before the change has to log in again, and the owner hears of it. */
async function noteChange(tx: Context<UserActor>, state: 'on' | 'off'): Promise<void> {
  const { userId, sessionId } = tx.actor
  const others = { userId, revokedAt: null, id: { not: sessionId } }
  await tx.db.session.updateMany({ where: others, data: { revokedAt: tx.clock.now() } })
  const { email } = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
  await queueMail(tx, [twoFactorMail(email, state, tx.appUrl, tx.requestId)])
}
