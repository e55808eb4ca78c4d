import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { DAY_MS } from '@/lib/kernel/time'

/** How long nobody else may take a name that was given up (DECISIONS 36). */
const RESERVED_MS = 90 * DAY_MS

/**
 * Takes a person out of an account row and ends every way in: sessions, links, second factor, password. The row stays for
 * orders and books; what Stripe knows the seller by stays too, so that money already earned still arrives. Call it with
 * the row locked.
 */
export async function scrubAccount(tx: Context, user: User, now: Date): Promise<void> {
  const { id: userId, username, profileImageUrl } = user
  if (profileImageUrl) {
    // Without an owner it is the sweep's.
    const key = profileImageUrl.replace(/^\/media\//, '')
    await tx.db.storedObject.updateMany({ where: { key }, data: { claimedAt: null } })
  }
  await tx.db.session.deleteMany({ where: { userId } })
  await tx.db.token.deleteMany({ where: { userId } })
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  await tx.db.totpCredential.deleteMany({ where: { userId } })
  // What they wrote about themselves, and nobody waits for its answer any more.
  await tx.db.appeal.deleteMany({ where: { userId } })
  if (username) {
    const reserved = { userId: null, redirectsUntil: now, reservedUntil: new Date(now.getTime() + RESERVED_MS) }
    await tx.db.reservedUsername.upsert({ where: { username }, create: { username, ...reserved }, update: reserved })
  }
  // Names given up earlier must not lead here any more.
  await tx.db.reservedUsername.updateMany({ where: { userId }, data: { userId: null, redirectsUntil: now } })
  // The picture is the sweep's now.
  await tx.db.storedObject.updateMany({
    where: { ownerId: userId, key: { startsWith: 'profiles/' } },
    data: { claimedAt: null },
  })
  await tx.db.user.update({
    where: { id: userId },
    data: {
      username: null,
      firstName: 'Deleted',
      lastName: '',
      email: `deleted-${userId}@deleted.invalid`,
      emailConfirmedAt: null,
      passwordHash: '',
      profileImageUrl: null,
      plan: 'free',
      planIntent: null,
      suspensionReason: null,
      emailNotifications: false,
      marketingEmails: false,
      analytics: false,
      autoRenewDrops: false,
      timezone: 'UTC',
      currency: 'USD',
      deletedAt: now,
    },
  })
}
