import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { DAY_MS } from '@/lib/kernel/time'
import { auditedValues, recordAudit } from '@/lib/platform/record-audit'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recallStartMailsOfSeller } from '@/lib/notifications/recall-start-mails'
import { endSessions } from './end-sessions'
import { assertSteppedUp } from './guards'
import { lockUser } from './lock-user'
import { suspendedMail, suspensionLiftedMail } from './mails'
import { accountError, accountTexts } from './messages'
import type { UpdateAccountInput } from './schema'
import { isStillSuspended } from './view'

/**
 * Changes an account's plan, badge or suspension for an administrator (docs/contract.md#calls-of-administrators). A
 * suspension ends every session, and the seller is emailed its reason and end. The seller's drops show as paused, but
 * their rows do not change (docs/product.md#suspended-accounts). Suspending a suspended account again without a reason
 * and without a length leaves the suspension unchanged. Lifting a suspension grants the seller's open appeal. Payouts
 * of a seller can be stopped for some days, even after the account was deleted. A suspension alone does not stop them,
 * because most suspended sellers have earned what they sold.
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED, ACCOUNT_NOT_FOUND, ADMIN_PROTECTED
 */
export async function updateAccount(ctx: Context<UserActor>, userId: number, input: UpdateAccountInput): Promise<User> {
  const { plan, isSuspended, payoutHoldDays } = input
  if ([plan, isSuspended, payoutHoldDays].some((value) => value !== undefined)) assertSteppedUp(ctx)
  const now = ctx.clock.now()
  return transaction(ctx, async (tx) => {
    await lockUser(tx, userId)
    const user = await tx.db.user.findUnique({ where: { id: userId } })
    if (!user || (user.deletedAt && !isOnlyPayoutStop(input))) throw accountError('ACCOUNT_NOT_FOUND')
    if (input.isSuspended && user.isAdmin) throw accountError('ADMIN_PROTECTED')
    const wasSuspended = isStillSuspended(user, now)
    const isRepeated =
      wasSuspended && input.suspensionReason === undefined && input.suspensionDays === undefined && input.isSuspended
    const change = {
      ...(input.plan === undefined ? {} : { plan: input.plan }),
      ...(input.isVerified === undefined ? {} : { isVerified: input.isVerified }),
      ...(input.isSuspended === undefined || isRepeated ? {} : suspension(input, user, now)),
      ...(payoutHoldDays === undefined ? {} : stopPayouts(payoutHoldDays, now)),
    }
    const updated = await tx.db.user.update({ where: { id: userId }, data: change })
    const mailKey = `${userId}:${ctx.requestId}`
    if (input.isSuspended && !isRepeated) {
      await endSessions(tx, userId)
      await recallStartMailsOfSeller(tx, userId)
      await queueMail(tx, [suspendedMail(updated, ctx.appUrl, mailKey)])
    } else if (input.isSuspended === false && wasSuspended) {
      const answer = { state: 'lifted', decidedAt: now, decidedBy: ctx.actor.userId } as const
      await tx.db.appeal.updateMany({ where: { userId, state: 'open' }, data: answer })
      await queueMail(tx, [suspensionLiftedMail(updated, ctx.appUrl, mailKey)])
    }
    const names = Object.keys(change) as (keyof typeof change)[]
    await recordAudit(tx, {
      action: actionOf(input),
      targetType: 'user',
      targetId: userId,
      before: auditedValues(user, names),
      after: auditedValues(updated, names),
    })
    return updated
  })
}

function suspension(input: UpdateAccountInput, user: User, now: Date) {
  if (!input.isSuspended) return { isSuspended: false, suspendedUntil: null, suspensionReason: null }
  const { suspensionDays: days, suspensionReason: reason } = input
  return {
    isSuspended: true,
    suspendedUntil: days === undefined ? null : new Date(now.getTime() + days * DAY_MS),
    suspensionReason:
      reason || (isStillSuspended(user, now) && user.suspensionReason) || accountTexts.suspensionDefaultReason,
  }
}

/** Whether nothing but the stop of payouts is changed. */
function isOnlyPayoutStop({ payoutHoldDays, ...others }: UpdateAccountInput): boolean {
  return payoutHoldDays !== undefined && Object.values(others).every((value) => value === undefined)
}

function stopPayouts(days: number, now: Date) {
  return { payoutsStoppedUntil: days === 0 ? null : new Date(now.getTime() + days * DAY_MS) }
}

function actionOf(input: UpdateAccountInput): string {
  if (input.isSuspended !== undefined) return input.isSuspended ? 'user.suspend' : 'user.unsuspend'
  if (input.payoutHoldDays !== undefined) return input.payoutHoldDays > 0 ? 'user.hold-payouts' : 'user.release-payouts'
  return input.plan === undefined ? 'user.update' : 'user.plan'
}
