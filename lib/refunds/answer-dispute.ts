import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { evidenceOf } from './evidence-of'
import { orderError } from '@/lib/orders/messages'
import { refundError } from './messages'
import { isAnswerable, isOpenDispute } from '@/lib/orders/dispute-rules'
import type { AnswerDisputeInput } from './schema'
import { findOrderRecord } from '@/lib/orders/seller-queries'
import { syncRefunds } from './sync-refunds'

/**
 * Sends the evidence of a disputed order to the bank, with the seller's own statement. The bank accepts evidence only
 * once per dispute.
 * @throws NOT_FOUND, NOT_ANSWERABLE, BANK_UNREACHABLE
 */
export async function answerDispute(
  ctx: Context<UserActor>,
  { orderId, statement }: AnswerDisputeInput,
): Promise<void> {
  const order = await findOrderRecord(ctx.db, orderId, ctx.actor.userId)
  if (!order) throw orderError('NOT_FOUND')
  const now = ctx.clock.now()
  const answerable = order.disputes.filter((open) => isAnswerable(open, now))
  const dispute = answerable.find(({ status }) => isOpenDispute(status)) ?? answerable[0]
  if (!dispute) throw refundError('NOT_ANSWERABLE')
  const evidence = evidenceOf(order, statement, ctx.appUrl)
  // If the seller presses the button twice, only the first press changes this row and sends the evidence.
  const taken = await ctx.db.dispute.updateMany({
    where: { id: dispute.id, submittedAt: dispute.submittedAt },
    data: { submittedAt: now, evidence: { ...evidence } },
  })
  if (taken.count === 0) throw refundError('NOT_ANSWERABLE')
  try {
    await ctx.stripe().disputes.update(
      dispute.stripeDisputeId,
      { evidence, submit: true, metadata: { orderId } },
      // An inquiry can become a dispute, which needs the same evidence once more.
      { idempotencyKey: `evidence-${dispute.id}-${dispute.status}-${sha256(JSON.stringify(evidence)).slice(0, 16)}` },
    )
  } catch (error) {
    // Stripe may still have received the evidence. The next attempt then gets Stripe's earlier response, or is refused.
    await ctx.db.dispute.update({ where: { id: dispute.id }, data: { submittedAt: null } })
    if (isStripeRefusal(error)) throw refundError('NOT_ANSWERABLE', { cause: error })
    if (isStripeUnavailable(error)) throw refundError('BANK_UNREACHABLE', { cause: error, retryAfterSeconds: 5 })
    throw error
  }
  await syncRefunds(ctx, orderId)
}
