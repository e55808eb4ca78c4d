import 'server-only'
import { answerDirectly } from '@/lib/http/answer-directly'
import { POST as createSession } from './checkout/create-session/route'
import { POST as createPaymentIntent } from './create-payment-intent/route'
import { POST as receiveWebhook } from './webhooks/stripe/route'

/** Registers the calls of a purchase with our own server, which then answers them without Next's router (ADR 0057). */
export function offerDirectCalls(): void {
  answerDirectly('/api/checkout/create-session', createSession)
  answerDirectly('/api/create-payment-intent', createPaymentIntent)
  answerDirectly('/api/webhooks/stripe', receiveWebhook)
}
