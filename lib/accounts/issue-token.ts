import 'server-only'
import type { TokenPurpose, User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'

/**
 * How long each link works. A link that resets the password or changes the address works for one hour
 * (docs/product.md#forgotten-passwords-and-usernames).
 */
const LIFETIME_MS = {
  passwordReset: HOUR_MS,
  emailChange: HOUR_MS,
  emailConfirm: DAY_MS,
  // The old mailbox can take the account back for three days, which cover a weekend (ADR 0051).
  emailUndo: 3 * DAY_MS,
} as const

type NewToken = { userId: number; purpose: TokenPurpose; email?: string; wasConfirmed?: boolean }

/**
 * Creates the one-time secret of a link and stores its hash. Older links with the same purpose stop working. Links that
 * give the account back keep working, so that a thief who changes the address twice cannot end the first link.
 */
export async function issueToken(tx: Context, { userId, purpose, email, wasConfirmed = true }: NewToken) {
  const now = tx.clock.now()
  const secret = newSecret()
  if (purpose !== 'emailUndo') {
    await tx.db.token.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: now } })
  }
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose])
  const token = await tx.db.token.create({
    data: { userId, purpose, tokenHash: sha256(secret), email: email ?? null, expiresAt, wasConfirmed },
  })
  return { id: token.id, secret, createdAt: token.createdAt }
}

/**
 * Creates the secret of a link that gives the account back to its present address. Only an address that was confirmed
 * stays reserved for the account (isReservedByUndoLink()).
 */
export function issueUndo(
  tx: Context,
  { id, email, emailConfirmedAt }: Pick<User, 'id' | 'email' | 'emailConfirmedAt'>,
) {
  return issueToken(tx, { userId: id, purpose: 'emailUndo', email, wasConfirmed: emailConfirmedAt !== null })
}

/**
 * Ends the links that reset the password or change the email address. Otherwise an owner who changes the password
 * because of an intruder could still lose the account through a change of address that the intruder had requested.
 */
export async function endLinks(tx: Context, userId: number): Promise<void> {
  const purpose = { in: ['passwordReset', 'emailChange'] as TokenPurpose[] }
  await tx.db.token.updateMany({ where: { userId, purpose, usedAt: null }, data: { usedAt: tx.clock.now() } })
}
