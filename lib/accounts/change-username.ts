import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { DAY_MS } from '@/lib/kernel/time'
import { queueMail } from '@/lib/notifications/queue-mail'
import { lockOwnAccount } from './lock-own-account'
import { usernameChangedMail } from './mails'
import { accountError } from './messages'
import { listTakenUsernames } from './queries'
import { OLD_USERNAME_REDIRECT_DAYS, OLD_USERNAME_RESERVED_DAYS, usernameCooldownEnds } from './rules'
import type { ChangeUsernameInput } from './schema'

/**
 * Changes an account's username, at most once every 30 days. The account's row is locked, so that two simultaneous
 * changes cannot both succeed. The old username redirects to the new one for 30 days and stays reserved for 90 days.
 * Its former owner may take it back (docs/product.md#changing-a-username).
 * @throws USERNAME_SAME, USERNAME_COOLDOWN, USERNAME_TAKEN, NOT_SIGNED_IN
 */
export async function changeUsername(ctx: Context<UserActor>, input: ChangeUsernameInput): Promise<User> {
  const { userId } = ctx.actor
  const { newUsername } = input
  const now = ctx.clock.now()
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  try {
    return await transaction(ctx, async (tx) => {
      await lockOwnAccount(tx)
      const user = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
      if (user.username === newUsername) throw accountError('USERNAME_SAME')
      if (usernameCooldownEnds(user.usernameChangedAt, now)) throw accountError('USERNAME_COOLDOWN')
      await tx.db.reservedUsername.deleteMany({ where: { username: newUsername, userId } })
      if ((await listTakenUsernames(tx.db, [newUsername])).size > 0) {
        throw accountError('USERNAME_TAKEN', { field: 'newUsername' })
      }
      if (user.username) {
        const reserved = {
          userId,
          redirectsUntil: inDays(OLD_USERNAME_REDIRECT_DAYS),
          reservedUntil: inDays(OLD_USERNAME_RESERVED_DAYS),
        }
        await tx.db.reservedUsername.upsert({
          where: { username: user.username },
          create: { username: user.username, ...reserved },
          update: reserved,
        })
      }
      await queueMail(tx, [usernameChangedMail(user.email, newUsername, ctx.appUrl, ctx.requestId)])
      return tx.db.user.update({ where: { id: userId }, data: { username: newUsername, usernameChangedAt: now } })
    })
  } catch (error) {
    // When two sellers request the same name at the same time, the unique index decides who gets it.
    if (uniqueViolation(error)) throw accountError('USERNAME_TAKEN', { field: 'newUsername', cause: error })
    throw error
  }
}
