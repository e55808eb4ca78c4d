import { readText } from '@/lib/http/input'
import { failed, ok } from '@/lib/http/responses'
import { toAppError } from '@/lib/http/route'
import { systemContext } from '@/lib/infra/context'
import { paymentsMode, readWebhook } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'

const MAX_EVENT_BYTES = 1024 * 1024

// Not a route(): Stripe has no session and no origin, its signature over the raw bytes is what lets it in.
export async function POST(request: Request): Promise<Response> {
  const requestId = newId('req')
  try {
    if (paymentsMode() === 'off') throw platformError('NOT_FOUND')
    const payload = await readText(request, MAX_EVENT_BYTES)
    const ctx = { ...systemContext('stripe-webhook'), requestId }
    const event = readWebhook(payload, request.headers.get('stripe-signature') ?? '', ctx.clock.now().getTime())
    if (!event) throw platformError('INVALID_INPUT', { text: 'The signature of this event is not valid.' })
    return ok({ received: true, outcome: await receiveStripeEvent(ctx, event) })
  } catch (error) {
    return failed(toAppError(error, requestId, request), requestId)
  }
}
