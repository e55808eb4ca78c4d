import 'server-only'
import { registerDirectCall } from '@/lib/http/register-direct-call'
import { POST as createSession } from './checkout/create-session/route'
import { POST as createPaymentIntent } from './create-payment-intent/route'
import { POST as receiveWebhook } from './webhooks/stripe/route'

/** Registers the calls of a purchase with our own server, which then answers them without Next's router (ADR 0057). */
export function offerDirectCalls(): void {
  registerDirectCall('/api/checkout/create-session', createSession)
  registerDirectCall('/api/create-payment-intent', createPaymentIntent)
  registerDirectCall('/api/webhooks/stripe', receiveWebhook)
}
