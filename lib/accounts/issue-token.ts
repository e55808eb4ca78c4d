import 'server-only'
import type { TokenPurpose } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'

/** How long each link is good; a link that gives the account away lives an hour (DECISIONS 31). */
const LIFETIME_MS = { passwordReset: HOUR_MS, emailChange: HOUR_MS, emailConfirm: DAY_MS } as const

type NewToken = { userId: number; purpose: TokenPurpose; email?: string }

/** Makes the one-time secret of a link, stored hashed; older ones of the same purpose are used up by it. */
export async function issueToken(tx: Context, { userId, purpose, email }: NewToken) {
  const now = tx.clock.now()
  const secret = newSecret()
  await tx.db.token.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: now } })
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose])
  const token = await tx.db.token.create({
    data: { userId, purpose, tokenHash: sha256(secret), email: email ?? null, expiresAt },
  })
  return { id: token.id, secret }
}

/**
 * Uses up every link that could still give the account away: whoever changes a password because of a stranger must not lose
 * the account to the change of address that stranger asked for.
 */
export async function endLinks(tx: Context, userId: number): Promise<void> {
  const purpose = { in: ['passwordReset', 'emailChange'] as TokenPurpose[] }
  await tx.db.token.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: tx.clock.now() } })
}
