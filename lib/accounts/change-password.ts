import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { hashPassword } from '@/lib/infra/password'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endOtherDevices } from './end-device'
import { assertOwnPassword, assertStrongForAdmin } from './guards'
import { isCommonPassword } from './is-common-password'
import { limitSecurityChanges } from './limit-security-changes'
import { lockOwnAccount } from './lock-own-account'
import { passwordChangedMail } from './mails'
import { accountError } from './messages'
import type { ChangePasswordInput } from './schema'

/**
 * Sets a new password after checking the old one. Ends every other session and the emailed links that reset the
 * password or change the email address, and notifies the owner by email. If the password has changed since it was
 * checked, for example because the owner has taken the account back from a thief, nothing changes.
 * @returns the user with the new password.
 * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS, PASSWORD_TOO_COMMON, WEAK_ADMIN_PASSWORD, NOT_SIGNED_IN
 */
export async function changePassword(ctx: Context<UserActor>, input: ChangePasswordInput): Promise<User> {
  if (isCommonPassword(input.newPassword)) throw accountError('PASSWORD_TOO_COMMON', { field: 'newPassword' })
  assertStrongForAdmin(ctx, ctx.actor, { password: input.newPassword, field: 'newPassword' })
  const checkedHash = await assertOwnPassword(ctx, input.password, { mayBeWeak: true })
  const { userId } = ctx.actor
  const passwordHash = await hashPassword(input.newPassword)
  const change = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx)
    const changed = await tx.db.user.updateMany({
      where: { id: userId, passwordHash: checkedHash },
      data: { passwordHash },
    })
    if (changed.count === 0) throw accountError('WRONG_PASSWORD')
    const user = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
    await endOtherDevices(tx)
    const mail = { key: ctx.requestId, signedOut: 'all other devices' } as const
    await queueMail(tx, [passwordChangedMail(user.email, ctx.appUrl, mail)])
    return user
  }
  return limitSecurityChanges(ctx, () => transaction(ctx, change))
}
