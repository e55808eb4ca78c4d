import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endOtherDevices } from '../end-device'
import { assertSteppedUp } from '../guards'
import { issueUndo } from '../issue-token'
import { limitSecurityChanges } from '../limit-security-changes'
import { lockOwnAccount } from '../lock-own-account'
import { undoLink } from '../mails'
import { accountError } from '../messages'
import { passkeyRemovedMail } from './passkey-mails'
import type { RemovePasskeyInput } from './passkey-schema'
import { hasTwoFactor } from '../queries'

/**
 * Removes one of the user's own passkeys, signs out all other devices and notifies the owner by email. Removing the
 * last second factor turns two-factor sign-in off, and the email then has a link that gives the account back. The user
 * must have given a second factor within the last ten minutes.
 * @throws STEP_UP_REQUIRED, PASSKEY_NOT_FOUND, NOT_SIGNED_IN
 */
export async function removePasskey(ctx: Context<UserActor>, { passkeyId }: RemovePasskeyInput): Promise<void> {
  const { userId, hasTwoFactor: wasOn } = ctx.actor
  if (wasOn) assertSteppedUp(ctx)
  const remove = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx)
    const passkey = await tx.db.passkey.findFirst({ where: { id: passkeyId, userId }, include: { user: true } })
    if (!passkey) throw accountError('PASSKEY_NOT_FOUND')
    await tx.db.passkey.delete({ where: { id: passkeyId } })
    const isOn = await hasTwoFactor(tx, userId)
    if (!isOn) await tx.db.recoveryCode.deleteMany({ where: { userId } })
    await endOtherDevices(tx)
    const undo = isOn ? null : await issueUndo(tx, passkey.user)
    const undoUrl = undo && undoLink(tx.appUrl, undo.secret)
    const about = { name: passkey.name, undoUrl, key: `${passkeyId}:${tx.requestId}` }
    await queueMail(tx, [passkeyRemovedMail(passkey.user.email, about, tx.appUrl)])
  }
  await limitSecurityChanges(ctx, () => transaction(ctx, remove))
}
