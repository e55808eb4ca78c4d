import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { suspensionKeptMail, suspensionLiftedMail } from '@/lib/accounts/mails'
import { liftSuspension } from '@/lib/accounts/suspend-user'
import { isStillSuspended } from '@/lib/accounts/view'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recordAudit } from '@/lib/platform/record-audit'
import { trustError } from './messages'
import type { DecideAppealInput } from './schema'

/**
 * Decides an open appeal, and notifies the seller whether the suspension is lifted or stays. Lifting a suspension needs
 * a recent second factor, as it does in the panel.
 * @throws STEP_UP_REQUIRED, TWO_FACTOR_REQUIRED, APPEAL_NOT_FOUND, APPEAL_DECIDED
 */
export async function decideAppeal(ctx: Context<UserActor>, input: DecideAppealInput): Promise<void> {
  const { appealId: id, isLifted } = input
  if (isLifted) assertSteppedUp(ctx)
  await transaction(ctx, async (tx) => {
    // The account is locked before its appeal, as when an administrator lifts the suspension in the panel. Another
    // order of locks could deadlock.
    await tx.db.$queryRaw`
      SELECT u."id" FROM "User" u JOIN "Appeal" a ON a."userId" = u."id" WHERE a."id" = ${id} FOR NO KEY UPDATE OF u`
    const { count } = await tx.db.appeal.updateMany({
      where: { id, state: 'open' },
      data: { state: isLifted ? 'lifted' : 'kept', decidedAt: ctx.clock.now(), decidedBy: ctx.actor.userId },
    })
    const appeal = await tx.db.appeal.findUnique({ where: { id }, include: { user: true } })
    if (!appeal) throw trustError('APPEAL_NOT_FOUND')
    if (count === 0) throw trustError('APPEAL_DECIDED')
    const { user } = appeal
    if (isLifted) await liftSuspension(tx, user.id)
    const mail = isLifted ? suspensionLiftedMail : suspensionKeptMail
    // If the suspension has ended by itself in the meantime, neither email would be true, so none is sent.
    if (!user.deletedAt && isStillSuspended(user, ctx.clock.now()))
      await queueMail(tx, [mail(user, ctx.appUrl, `appeal-${id}`)])
    await recordAudit(tx, {
      action: isLifted ? 'appeal.lift' : 'appeal.keep',
      targetType: 'user',
      targetId: user.id,
      before: { isSuspended: user.isSuspended, reason: user.suspensionReason },
      after: { isSuspended: user.isSuspended && !isLifted, appealId: id },
    })
  })
}
