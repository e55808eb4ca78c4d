import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { keyOfMedia } from '@/lib/kernel/media-path'
import { DAY_MS } from '@/lib/kernel/time'
import { forgetMailsTo } from '@/lib/notifications/forget-mails'
import { OLD_USERNAME_RESERVED_DAYS, STOPPED_UNTIL_RELEASED } from './rules'
import { releaseFolder, releaseObjects } from '@/lib/uploads/claim-objects'

/**
 * Removes the personal data of an account and ends every way to sign in: sessions, links, the second factors and the
 * password. The account's row stays for orders and accounting. Its Stripe ids stay, too, so that money already earned
 * is still paid out. A hold of payouts then lasts until an administrator releases it. The caller must hold a lock on
 * the row.
 */
export async function scrubAccount(tx: Context, user: User, now: Date): Promise<void> {
  const { id: userId, username, profileImageUrl } = user
  if (profileImageUrl) {
    // The sweep of stored objects deletes the files of unclaimed pictures.
    await releaseObjects(tx, [keyOfMedia(profileImageUrl)])
  }
  await tx.db.session.deleteMany({ where: { userId } })
  await tx.db.token.deleteMany({ where: { userId } })
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  await tx.db.totpCredential.deleteMany({ where: { userId } })
  await tx.db.passkey.deleteMany({ where: { userId } })
  // Appeals contain personal text, and an appeal of a deleted account needs no answer.
  await tx.db.appeal.deleteMany({ where: { userId } })
  await tx.db.publicProfile.deleteMany({ where: { userId } })
  await tx.db.sellerDetails.deleteMany({ where: { userId } })
  await tx.db.taxRate.deleteMany({ where: { userId } })
  // Keys that no buyer has are secrets of the seller. A payment that arrives later finds no key and is refunded. A
  // payment that is assigning keys right now has locked its drop and must still find all of them, so this waits for its
  // lock.
  await tx.sql(
    'lock-drops-with-keys',
    'SELECT 1 FROM "Drop" WHERE "userId" = :userId AND "keysGiven" IS NOT NULL ORDER BY "id" FOR NO KEY UPDATE',
    { userId },
  )
  await tx.db.dropKey.deleteMany({ where: { orderId: null, drop: { userId } } })
  await tx.db.follower.deleteMany({ where: { sellerId: userId } })
  // Anyone can sign up with someone else's address, and must not be able to end that person's emails.
  if (user.emailConfirmedAt) await forgetMailsTo(tx, user.email)
  if (username) {
    const reservedUntil = new Date(now.getTime() + OLD_USERNAME_RESERVED_DAYS * DAY_MS)
    const reserved = { userId: null, redirectsUntil: now, reservedUntil }
    await tx.db.reservedUsername.upsert({ where: { username }, create: { username, ...reserved }, update: reserved })
  }
  // Former usernames must not redirect to this account anymore.
  await tx.db.reservedUsername.updateMany({ where: { userId }, data: { userId: null, redirectsUntil: now } })
  // The sweep also deletes all other profile pictures that this account has uploaded.
  await releaseFolder(tx, userId, 'profiles')
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
      ...(user.payoutsStoppedUntil && user.payoutsStoppedUntil > now
        ? { payoutsStoppedUntil: STOPPED_UNTIL_RELEASED }
        : {}),
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
