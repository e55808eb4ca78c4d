import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { recordAudit } from '@/lib/platform/record-audit'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { adminError } from './messages'

/**
 * Handles a webhook event again, from Stripe's current state. Handling is idempotent: nothing is done twice.
 * @returns what was done.
 * @throws EVENT_NOT_FOUND, EVENT_GONE
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
    await tx.db.webhookEvent.update({ where: { id }, data: { handledAt: null } })
    await recordAudit(tx, {
      action: 'webhook.replay',
      targetType: 'webhook',
      targetId: id,
      before: { outcome: known.outcome },
    })
  })
  return receiveStripeEvent(ctx, event)
}
