import { readText } from '@/lib/http/input'
import { machineRoute } from '@/lib/http/machine-route'
import { ok } from '@/lib/http/responses'
import { isOfOtherMode, readWebhook } from '@/lib/infra/stripe'
import { platformError } from '@/lib/platform/messages'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'

const MAX_EVENT_BYTES = 1024 * 1024

// Stripe's Dashboard shows this response beside the delivery.
const WRONG_SIGNATURE =
  'The signature of this event is neither that of STRIPE_WEBHOOK_SECRET nor that of STRIPE_CONNECT_WEBHOOK_SECRET: copy the signing secret of each endpoint.'

/** Stripe sends no session and no origin, so the signature over the raw bytes proves that the call is from Stripe. */
export const POST = machineRoute({
  name: 'stripe-webhook',
  run: async (ctx, request) => {
    if (ctx.payments === 'off') throw platformError('NOT_FOUND')
    const payload = await readText(request, MAX_EVENT_BYTES)
    const event = readWebhook(payload, request.headers.get('stripe-signature') ?? '', ctx.clock.now().getTime())
    if (!event) {
      ctx.log.warn(WRONG_SIGNATURE)
      throw platformError('INVALID_INPUT', { text: WRONG_SIGNATURE })
    }
    if (isOfOtherMode(event)) return ok({ received: true, outcome: 'of the other mode' })
    return ok({ received: true, outcome: await receiveStripeEvent(ctx, event) })
  },
})
