import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Whether a link that gives an account back to this email address is still unused and valid (ADR 0051), if the address was
 * confirmed when the link was made. No other account may have such an address. Otherwise a thief who has moved an account to
 * another address could occupy the old one, and the link would then fail. An address that was never confirmed may belong to a
 * stranger, who can still sign up with it.
 * @param userId the account that may have the address anyway
 */
export async function isEmailOfUndo({ db, clock }: Context, email: string, userId?: number): Promise<boolean> {
  const found = await db.token.findFirst({
    where: {
      ...{ purpose: 'emailUndo', email, wasConfirmed: true, usedAt: null, expiresAt: { gt: clock.now() } },
      ...(userId === undefined ? {} : { userId: { not: userId } }),
    },
    select: { id: true },
  })
  return found !== null
}
