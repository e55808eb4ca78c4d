import 'server-only'
import type { Context } from '@/lib/infra/context'
import { seal } from '@/lib/infra/crypto'
import type { Tx } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { newTotpSecret, totpUri } from '@/lib/infra/totp'
import type { UserActor } from '@/lib/kernel/actor'
import { newRecoveryCode } from '@/lib/kernel/id'
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
  return ctx.db.$transaction(async (tx) => {
    const credential = await tx.totpCredential.findUnique({ where: { userId } })
    if (!credential) throw accountError('TWO_FACTOR_IS_OFF')
    if (credential.confirmedAt) throw accountError('TWO_FACTOR_IS_ON')
    const step = matchingStep(credential, code, now)
    if (step === null || !(await spendStep(tx, userId, step))) throw accountError('WRONG_CODE')
    await tx.totpCredential.update({ where: { userId }, data: { confirmedAt: now } })
    await tx.session.update({ where: { id: sessionId }, data: { stepUpAt: now } })
    await noteChange(ctx, tx, 'on')
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
  await ctx.db.$transaction(async (tx) => {
    await tx.totpCredential.deleteMany({ where: { userId } })
    await tx.recoveryCode.deleteMany({ where: { userId } })
    await noteChange(ctx, tx, 'off')
  })
}

/** Ten new recovery codes in place of the old ones. @throws WRONG_CODE, TWO_FACTOR_IS_OFF, TOO_MANY_REQUESTS */
export async function renewRecoveryCodes(ctx: Context<UserActor>, { code }: CodeInput): Promise<string[]> {
  const { userId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  return ctx.db.$transaction((tx) => issueRecoveryCodes(tx, userId))
}

/** Proves the second factor once more in this session, for acts that ask for a fresh one (DECISIONS 39). */
export async function stepUp(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId, sessionId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await ctx.db.session.update({ where: { id: sessionId }, data: { stepUpAt: ctx.clock.now() } })
}

async function issueRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: recoveryCodeHash(userId, code) })),
  })
  return codes
}

/** Whoever came in before the change has to log in again, and the owner hears of it. */
async function noteChange(ctx: Context<UserActor>, tx: Tx, state: 'on' | 'off'): Promise<void> {
  const { userId, sessionId } = ctx.actor
  const others = { userId, revokedAt: null, id: { not: sessionId } }
  await tx.session.updateMany({ where: others, data: { revokedAt: ctx.clock.now() } })
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } })
  await tx.outboxMail.createMany({ data: [twoFactorMail(email, state, env().appUrl, ctx.requestId)] })
}
