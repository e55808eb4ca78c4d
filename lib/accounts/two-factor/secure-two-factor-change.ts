import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endOtherDevices } from '../end-device'
import { issueUndo } from '../issue-token'
import { twoFactorMail, type TwoFactorState, undoLink } from '../mails'

/**
 * Signs out every other device and ends every link that an intruder may have requested, and queues an email that
 * notifies the owner of the change. For three days, a link in the email gives the account back. It removes every
 * authenticator app that is not older than the link. The caller therefore stores the returned time with an app that was
 * just set up, so that the link removes that app, too.
 * Call it with the user's row locked, before the change itself: a login with the password alone locks the same row, so
 * it either ends here or asks for the second factor.
 * @returns when the link was made
 */
export async function secureTwoFactorChange(tx: Context<UserActor>, state: TwoFactorState): Promise<Date> {
  await endOtherDevices(tx)
  const user = await tx.db.user.findUniqueOrThrow({ where: { id: tx.actor.userId } })
  const undo = await issueUndo(tx, user)
  await queueMail(tx, [twoFactorMail(user.email, state, undoLink(tx.appUrl, undo.secret), undo.id)])
  return undo.createdAt
}
