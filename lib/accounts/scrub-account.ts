import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { DAY_MS } from '@/lib/kernel/time'

/** For how long a username that was given up stays reserved (docs/product.md#changing-a-username). */
const RESERVED_MS = 90 * DAY_MS

/**
 * Removes the personal data from an account row and ends every way to sign in: sessions, links, second factor,
 * password. The row stays for orders and accounting, and so do its Stripe ids, so that money already earned is still
 * paid out. The caller must hold a lock on the row.
 */
export async function scrubAccount(tx: Context, user: User, now: Date): Promise<void> {
  const { id: userId, username, profileImageUrl } = user
  if (profileImageUrl) {
    // The sweep of stored objects deletes the file of a picture that is not claimed.
    const key = profileImageUrl.replace(/^\/media\//, '')
    await tx.db.storedObject.updateMany({ where: { key }, data: { claimedAt: null } })
  }
  await tx.db.session.deleteMany({ where: { userId } })
  await tx.db.token.deleteMany({ where: { userId } })
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  await tx.db.totpCredential.deleteMany({ where: { userId } })
  // Appeals are personal text, and nobody waits for the answer any more.
  await tx.db.appeal.deleteMany({ where: { userId } })
  if (username) {
    const reserved = { userId: null, redirectsUntil: now, reservedUntil: new Date(now.getTime() + RESERVED_MS) }
    await tx.db.reservedUsername.upsert({ where: { username }, create: { username, ...reserved }, update: reserved })
  }
  // Former usernames must not redirect to this account any more.
  await tx.db.reservedUsername.updateMany({ where: { userId }, data: { userId: null, redirectsUntil: now } })
  // The sweep also deletes all other profile pictures that this account has uploaded.
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
