import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Whether an email address is reserved, because a valid, unused link can give an account back to it (ADR 0051). Without
 * this, a thief who has moved an account to another address could sign up with the old one, and the link would fail.
 * The address is reserved only if it was confirmed when the link was made. An unconfirmed address may belong to a
 * stranger, who can still sign up with it.
 * @param userId the account that may have the address anyway
 */
export async function isReservedByUndoLink({ db, clock }: Context, email: string, userId?: number): Promise<boolean> {
  const found = await db.token.findFirst({
    where: {
      purpose: 'emailUndo',
      email,
      wasConfirmed: true,
      usedAt: null,
      expiresAt: { gt: clock.now() },
      ...(userId === undefined ? {} : { userId: { not: userId } }),
    },
    select: { id: true },
  })
  return found !== null
}
