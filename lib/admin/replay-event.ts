import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { recordAudit } from '@/lib/platform/record-audit'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { reopenEvent } from '@/lib/webhooks/reopen-event'
import { adminError } from './messages'

/**
 * Handles a webhook event again, based on the current state at Stripe. Handling is idempotent, so nothing is done
 * twice.
 * @returns the outcome of the handling.
 * @throws EVENT_NOT_FOUND when we have no such event, EVENT_GONE when Stripe no longer has it or payments are off.
 */
export async function replayEvent(ctx: Context<UserActor>, { id }: { id: string }): Promise<string> {
  const known = await ctx.db.webhookEvent.findUnique({ where: { id } })
  if (!known) throw adminError('EVENT_NOT_FOUND')
  if (ctx.payments === 'off') throw adminError('EVENT_GONE')
  const event = await ctx
    .stripe()
    .events.retrieve(id, {}, known.account === null ? {} : { stripeAccount: known.account })
    .catch((error: unknown) => {
      throw isStripeMissing(error) ? adminError('EVENT_GONE', { cause: error }) : error
    })
  await transaction(ctx, async (tx) => {
    await reopenEvent(tx, id)
    await recordAudit(tx, {
      action: 'webhook.replay',
      targetType: 'webhook',
      targetId: id,
      before: { outcome: known.outcome },
    })
  })
  return receiveStripeEvent(ctx, event)
}
