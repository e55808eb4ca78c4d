import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash, unseal } from '@/lib/infra/crypto'
import type { Db } from '@/lib/infra/db'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { verifyTotp } from '@/lib/infra/totp'
import { platformError } from '@/lib/platform/messages'
import { accountError } from './messages'

/**
 * Limits wrong codes per account. A known device has its own count, so that a stranger's attempts do not lock the owner
 * out.
 */
const wrongCodes: RateLimit = { name: 'two-factor', points: 5, windowSeconds: 15 * 60 }
const wrongCodesKnown: RateLimit = { name: 'two-factor-device', points: 10, windowSeconds: 15 * 60 }

export const TOTP_PURPOSE = 'totp'

/**
 * Recovery codes are random enough that a plain hash would not reveal them; the hash is keyed as a second protection.
 */
export function recoveryCodeHash(userId: number, code: string): string {
  return keyedHash('recovery-code', `${userId} ${code}`)
}

/**
 * Uses up one code of the second factor: an app's code or a recovery code. Each works once, even for ten requests at
 * the same moment, because a conditional update decides.
 * @throws TWO_FACTOR_IS_OFF, WRONG_CODE, TOO_MANY_REQUESTS
 */
export async function spendSecondFactor(
  ctx: Context,
  { userId, code, isKnownDevice }: { userId: number; code: string; isKnownDevice: boolean },
): Promise<void> {
  const limit = isKnownDevice ? wrongCodesKnown : wrongCodes
  const retryAfterSeconds = await consume(limit, String(userId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'code' })
  const isGood = /^\d{6}$/.test(code)
    ? await consumeTotp(ctx.db, userId, code, ctx.clock.now())
    : await consumeRecoveryCode(ctx.db, userId, code, ctx.clock.now())
  if (!isGood) throw accountError('WRONG_CODE')
  await giveBack(limit, String(userId))
}

async function consumeTotp(db: Db, userId: number, code: string, now: Date): Promise<boolean> {
  const credential = await db.totpCredential.findFirst({ where: { userId, confirmedAt: { not: null } } })
  if (!credential) throw accountError('TWO_FACTOR_IS_OFF')
  const step = matchingStep(credential, code, now)
  return step !== null && (await spendStep(db, userId, step))
}

/** The time step of a code that is right and newer than the last one used. */
export function matchingStep(
  credential: { secretEncrypted: string; lastUsedStep: number },
  code: string,
  now: Date,
): number | null {
  const secret = unseal(TOTP_PURPOSE, credential.secretEncrypted)
  return secret === null ? null : verifyTotp(secret, code, credential.lastUsedStep, now)
}

/** Records a used time step; false when another request has already used the same code. */
export async function spendStep(db: Db, userId: number, step: number): Promise<boolean> {
  const spent = await db.totpCredential.updateMany({
    where: { userId, lastUsedStep: { lt: step } },
    data: { lastUsedStep: step },
  })
  return spent.count === 1
}

async function consumeRecoveryCode(db: Db, userId: number, code: string, now: Date): Promise<boolean> {
  const used = await db.recoveryCode.updateMany({
    where: { userId, codeHash: recoveryCodeHash(userId, code), usedAt: null },
    data: { usedAt: now },
  })
  return used.count === 1
}
