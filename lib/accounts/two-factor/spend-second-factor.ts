import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash, unseal } from '@/lib/infra/crypto'
import type { Db } from '@/lib/infra/db'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { verifyTotp } from '@/lib/infra/totp'
import { platformError } from '@/lib/platform/messages'
import { accountError } from '../messages'
import { hasTwoFactor } from '../queries'

/**
 * Limits the wrong codes per account. Codes from known devices are counted separately, so that a stranger's attempts do
 * not lock the owner out.
 */
const wrongCodes: RateLimit = { name: 'two-factor', points: 5, windowSeconds: 15 * 60 }
const wrongCodesKnown: RateLimit = { name: 'two-factor-device', points: 10, windowSeconds: 15 * 60 }

export const TOTP_PURPOSE = 'totp'

/**
 * Returns the hash under which a recovery code is stored. The key of the hash is not in the database, so a copy of the
 * database is not enough to check guesses.
 */
export function recoveryCodeHash(userId: number, code: string): string {
  return keyedHash('recovery-code', `${userId} ${code}`)
}

type Attempt = { userId: number; isKnownDevice: boolean }

/**
 * Runs an attempt to enter the second factor of an account. Attempts that fail count toward the limit of the account.
 * @throws TOO_MANY_REQUESTS, and what the attempt throws
 */
export async function countAttempt<Result>(
  { userId, isKnownDevice }: Attempt,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const limit = isKnownDevice ? wrongCodesKnown : wrongCodes
  const retryAfterSeconds = await consume(limit, String(userId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'code' })
  const result = await attempt()
  await giveBack(limit, String(userId))
  return result
}

/**
 * Uses up one code of the second factor, either from an authenticator app or a recovery code. A conditional update
 * marks the code as used, so each code works only once, even when several requests send it at the same moment.
 * @throws TWO_FACTOR_IS_OFF, WRONG_CODE, TOO_MANY_REQUESTS
 */
export async function spendSecondFactor(ctx: Context, { code, ...attempt }: Attempt & { code: string }): Promise<void> {
  const { userId } = attempt
  await countAttempt(attempt, async () => {
    const isGood = /^\d{6}$/.test(code)
      ? await consumeTotp(ctx, userId, code)
      : await consumeRecoveryCode(ctx, userId, code)
    if (!isGood) throw accountError('WRONG_CODE')
  })
}

async function consumeTotp(ctx: Context, userId: number, code: string): Promise<boolean> {
  const credential = await ctx.db.totpCredential.findFirst({ where: { userId, confirmedAt: { not: null } } })
  if (credential) {
    const step = matchingStep(credential, code, ctx.clock.now())
    return step !== null && (await spendStep(ctx.db, userId, step))
  }
  // Passkeys are the only second factor of this account, so a six-digit code is always wrong.
  if (await hasTwoFactor(ctx, userId)) return false
  throw accountError('TWO_FACTOR_IS_OFF')
}

/**
 * Returns the time step of a correct code if the step is newer than the last used one. Returns null for any other code.
 */
export function matchingStep(
  credential: { secretEncrypted: string; lastUsedStep: number },
  code: string,
  now: Date,
): number | null {
  const secret = unseal(TOTP_PURPOSE, credential.secretEncrypted)
  return secret === null ? null : verifyTotp(secret, code, credential.lastUsedStep, now)
}

/** Records that a time step was used. Returns false when another request has already used this step or a newer one. */
export async function spendStep(db: Db, userId: number, step: number): Promise<boolean> {
  const spent = await db.totpCredential.updateMany({
    where: { userId, lastUsedStep: { lt: step } },
    data: { lastUsedStep: step },
  })
  return spent.count === 1
}

async function consumeRecoveryCode(ctx: Context, userId: number, code: string): Promise<boolean> {
  const used = await ctx.db.recoveryCode.updateMany({
    where: { userId, codeHash: recoveryCodeHash(userId, code), usedAt: null },
    data: { usedAt: ctx.clock.now() },
  })
  return used.count === 1
}
