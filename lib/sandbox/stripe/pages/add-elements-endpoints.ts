import 'server-only'
import type { Context, Hono } from 'hono'
import type Stripe from 'stripe'
import { timingSafeEqual } from 'node:crypto'
import type { CardPageBuyer } from '../objects'
import { attemptPayment, type Attempt, disputeIfAsked, failAuthentication } from '../payments/attempt-payment'
import { createCard } from '../payments/payment-methods'
import type { Store, Tx } from '../store'
import { readSentBody, type SentFields } from './read-sent-body'
import { checkPayFields } from './pay-fields'

const ROOT = '/sandbox/elements'
const NOBODY = { id: null, idempotency_key: null }
const PAYABLE: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/**
 * A wallet shows its buyer the amount that the page passed to Elements, so Stripe refuses a payment of another amount.
 */
const OTHER_AMOUNT = 'The amount and currency of Elements do not match those of the PaymentIntent.'

type Answer = { status: 200 | 400 | 402 | 404; body: object }

/**
 * Adds the endpoints that Stripe's script in a buyer's browser calls with a client secret. They read and confirm the
 * payment intent of this secret. They cannot reach another object or change the amount.
 */
export function addElementsEndpoints(app: Hono, store: Store): void {
  app.get(`${ROOT}/:id`, async (context) => {
    const secret = context.req.query('client_secret') ?? ''
    return reply(
      context,
      await store.transaction(NOBODY, async (tx) => {
        const intent = await findIntent(tx, context.req.param('id'), secret, 'find')
        return intent ? { status: 200, body: publicIntent(intent) } : unknownIntent
      }),
    )
  })
  app.post(`${ROOT}/:id/confirm`, async (context) => {
    const sent = await readSentBody(context.req.raw)
    if (!sent.ok) return reply(context, refused('parameter_invalid', sent.message))
    const { clientSecret = '', ...fields } = sent.fields
    return reply(
      context,
      await store.transaction(NOBODY, (tx) => confirm(tx, context.req.param('id'), clientSecret, fields)),
    )
  })
}

function reply(context: Context, { status, body }: Answer): Response {
  return context.json(body, status, { 'cache-control': 'no-store' })
}

const refused = (code: string, message: string): Answer => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, message } },
})

const unknownIntent: Answer = {
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payment_intent' } },
}

/**
 * Finds the payment intent if the client secret matches. An intent of a checkout session counts as unknown, because
 * the buyer pays it on the hosted page.
 */
async function findIntent(
  tx: Tx,
  id: string,
  secret: string,
  how: 'find' | 'lock',
): Promise<Stripe.PaymentIntent | null> {
  const intent = await tx[how]('payment_intent', id)
  const [a, b] = [Buffer.from(secret), Buffer.from(intent?.client_secret ?? '')]
  if (!intent || a.length !== b.length || !timingSafeEqual(a, b)) return null
  return (await tx.find('~intent_owner', `${id}~owner`)) ? null : intent
}

/** The fields of a payment intent that Stripe shows to a browser. */
function publicIntent({ id, object, amount, currency, client_secret, next_action, status }: Stripe.PaymentIntent) {
  return { id, object, amount, currency, client_secret, livemode: false, next_action, status }
}

async function confirm(tx: Tx, id: string, secret: string, sent: SentFields): Promise<Answer> {
  const intent = await findIntent(tx, id, secret, 'lock')
  if (!intent) return unknownIntent
  if (!PAYABLE.includes(intent.status)) {
    const message = `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`
    const error = {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message,
      payment_intent: publicIntent(intent),
    }
    return { status: 400, body: { error } }
  }
  if (sent.confirm !== undefined && sent.cardNumber === undefined)
    return answerBank(tx, intent, sent.confirm === 'true')
  const { elementsAmount, elementsCurrency, ...fields } = sent
  if (
    elementsAmount !== undefined &&
    (Number(elementsAmount) !== intent.amount || elementsCurrency !== intent.currency)
  ) {
    return refused('parameter_invalid', OTHER_AMOUNT)
  }

  const countries = fields.line1 === undefined ? null : [(fields.country ?? '').toUpperCase()]
  const checked = checkPayFields(fields, { email: null, countries, phone: 'optional' }, tx.now())
  if (!checked.ok) {
    const [first] = checked.errors
    const error = { type: 'validation_error', code: first?.code, message: first?.message, param: first?.field }
    return { status: 402, body: { error } }
  }
  const { card, buyer } = checked.input
  const method = await createCard(tx, card, billingOf(buyer))
  if (buyer.shipping) intent.shipping = { ...buyer.shipping, carrier: null, phone: buyer.phone, tracking_number: null }
  const attempt = await attemptPayment(tx, intent, method, { isAuthenticated: false })
  return toAnswer(tx, intent, method, attempt)
}

/** Continues a payment after the cardholder has approved or refused it at the bank. */
async function answerBank(tx: Tx, intent: Stripe.PaymentIntent, isApproved: boolean): Promise<Answer> {
  const methodId = typeof intent.payment_method === 'string' ? intent.payment_method : ''
  const method = await tx.find('payment_method', methodId)
  if (!method || intent.status !== 'requires_action') {
    return refused('payment_intent_unexpected_state', 'No card is waiting to be confirmed.')
  }
  const attempt = isApproved
    ? await attemptPayment(tx, intent, method, { isAuthenticated: true })
    : await failAuthentication(tx, intent, method)
  return toAnswer(tx, intent, method, attempt)
}

async function toAnswer(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  attempt: Attempt,
): Promise<Answer> {
  await disputeIfAsked(tx, method, attempt)
  if (attempt.kind !== 'declined') return { status: 200, body: publicIntent(intent) }
  const error = { ...attempt.error, payment_intent: publicIntent(intent) }
  return { status: 402, body: { error } }
}

function billingOf(buyer: CardPageBuyer): Stripe.PaymentMethod.BillingDetails {
  return { address: null, email: buyer.email, name: buyer.cardholderName, phone: buyer.phone, tax_id: null }
}
