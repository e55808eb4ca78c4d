import { payByCard, refusalOf } from './drive-world.mjs'

/**
 * @import { default as Stripe } from 'stripe'
 * @import { World } from './drive-world.mjs'
 */

/** @param {World} world */
export async function playSale(world) {
  const { stripe, see, run } = world
  const { intent, charge } = await payByCard(world, { name: 'sale', card: 'pm_card_visa' })
  see('status', intent.status, 'succeeded')
  see('transfer_group of the charge', charge.transfer_group, `${run}_sale`)
  const movement = await world.poll(
    async () => {
      const read = await stripe.charges.retrieve(charge.id, { expand: ['balance_transaction'] })
      return /** @type {Stripe.BalanceTransaction | null} */ (read.balance_transaction)
    },
    (found) => found !== null,
  )
  see('settlement currency', movement?.currency, 'usd')
  see('card fee in cents', movement?.fee, 100)
}

/** @param {World} world */
export async function playDecline(world) {
  const refusal = await refusalOf(payByCard(world, { name: 'decline', card: 'pm_card_visa_chargeDeclined' }))
  world.see('type', refusal.type, 'StripeCardError')
  world.see('code', refusal.code, 'card_declined')
  world.see('decline code', refusal.decline_code, 'generic_decline')
  world.see('status of the payment', refusal.payment_intent?.status, 'requires_payment_method')
}

/** @param {World} world */
export async function playIdempotency({ stripe, see, run }) {
  const once = (/** @type {number} */ amount) =>
    stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { run } }, { idempotencyKey: run })
  const first = await once(1_000)
  see('the second call has the first answer', (await once(1_000)).id === first.id, true)
  see('other parameters', (await refusalOf(once(1_100))).type, 'StripeIdempotencyError')
  see('status after canceling', (await stripe.paymentIntents.cancel(first.id)).status, 'canceled')
}

/** @param {World} world */
export async function playCheckout({ stripe, see, run }) {
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 2_400, product_data: { name: 'Drive' } } }],
    success_url: 'https://drops.example/paid',
    cancel_url: 'https://drops.example/',
    expires_at: Math.floor(Date.now() / 1000) + 31 * 60,
    metadata: { run },
  })
  see('status', session.status, 'open')
  see('status after expiring', (await stripe.checkout.sessions.expire(session.id)).status, 'expired')
  see(
    'expiring twice',
    (await refusalOf(stripe.checkout.sessions.expire(session.id))).type,
    'StripeInvalidRequestError',
  )
}

/** @param {World} world */
export async function playRefund(world) {
  const { stripe, see } = world
  const { intent, charge } = await payByCard(world, { name: 'refund', card: 'pm_card_visa' })
  const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 400 })
  see('status of a part', part.status, 'succeeded')
  await stripe.refunds.create({ payment_intent: intent.id })
  see('refunded in all', (await stripe.charges.retrieve(charge.id)).amount_refunded, 2_400)
  const again = await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))
  see('one more', again.code, 'charge_already_refunded')
}

/** The codes with which Stripe refuses to refund a disputed payment (docs.stripe.com/error-codes). */
const REFUSES_REFUNDS = ['charge_disputed', 'refund_disputed_payment', 'charge_not_refundable']

/** @param {World} world */
export async function playDispute(world) {
  const { stripe, see } = world
  const { intent } = await payByCard(world, { name: 'dispute', card: 'pm_card_createDispute' })
  const [dispute] = await world.poll(
    async () => (await stripe.disputes.list({ payment_intent: intent.id })).data,
    (found) => found.length > 0,
  )
  see('status', dispute?.status, 'needs_response')
  see('reason', dispute?.reason, 'fraudulent')
  see('amount', dispute?.amount, 2_400)
  const refund = await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))
  see('a refund meanwhile is refused', REFUSES_REFUNDS.includes(refund.code ?? ''), true)
  const id = dispute?.id ?? ''
  await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  const decided = await world.poll(
    () => stripe.disputes.retrieve(id),
    ({ status }) => status === 'won' || status === 'lost',
  )
  see('status after winning evidence', decided.status, 'won')
}
