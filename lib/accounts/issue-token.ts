import 'server-only'
import type { TokenPurpose } from '@prisma/client'
import { sha256 } from '@/lib/infra/crypto'
import type { Tx } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'

/** How long each link is good; a link that gives the account away lives an hour (DECISIONS 31). */
const LIFETIME_MS = { passwordReset: HOUR_MS, emailChange: HOUR_MS, emailConfirm: DAY_MS } as const

type NewToken = { userId: number; purpose: TokenPurpose; email?: string; now: Date }

/** Makes the one-time secret of a link, stored hashed; older ones of the same purpose are used up by it. */
export async function issueToken(tx: Tx, { userId, purpose, email, now }: NewToken) {
  const secret = newSecret()
  await tx.token.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: now } })
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose])
  const token = await tx.token.create({
    data: { userId, purpose, tokenHash: sha256(secret), email: email ?? null, expiresAt },
  })
  return { id: token.id, secret }
}

/**
 * Uses up every link that could still give the account away: whoever changes a password because of a stranger must not lose
 * the account to the change of address that stranger asked for.
 */
export async function endLinks(tx: Tx, userId: number, now: Date): Promise<void> {
  const purpose = { in: ['passwordReset', 'emailChange'] as TokenPurpose[] }
  await tx.token.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: now } })
}
