import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * @import Stripe from 'stripe'
 * @typedef {{
 *   stripe: Stripe,
 *   isStandIn: boolean,
 *   print: (line: string) => void,
 *   see: (what: string, seen: unknown, documented: unknown) => void,
 *   poll: <T>(read: () => Promise<T>, isDone: (value: T) => boolean) => Promise<T>,
 *   run: string,
 *   account: string | null,
 * }} World `see` notes what was seen beside what is documented, which the stand-in does; `run` marks everything that is made;
 *   `account` is the connected account, once there is one
 * @typedef {{ name: string, source: string, play: (world: World) => Promise<void>, differs?: string }} Step `source`: where
 *   Stripe documents it; `differs`: what the stand-in simplifies
 */

const POLL_MS = 2_000
const MOST_POLLS = 45
const HOUR_SECONDS = 3_600

/** @type {Step[]} */
const STEPS = [
  {
    name: 'a sale',
    source: 'docs.stripe.com/payments/payment-intents',
    differs: 'Stripe may report the card fee a while later, with charge.updated.',
    play: playSale,
  },
  { name: 'a declined card', source: 'docs.stripe.com/declines', play: playDecline },
  { name: 'one key, two calls', source: 'docs.stripe.com/api/idempotent_requests', play: playIdempotency },
  {
    name: 'a payment page',
    source: 'docs.stripe.com/api/checkout/sessions',
    differs: 'Only a person can pay on the page of Stripe; the stand-in takes a post to <url>/pay.',
    play: playCheckout,
  },
  { name: 'a refund', source: 'docs.stripe.com/refunds', play: playRefund },
  {
    name: 'a dispute',
    source: 'docs.stripe.com/testing#disputes',
    differs: 'Stripe files and decides it after seconds, the stand-in at once.',
    play: playDispute,
  },
  {
    name: 'a seller with test data',
    source: 'docs.stripe.com/connect/testing',
    differs: 'Stripe verifies the data within seconds. The stand-in looks only at whether they are there.',
    play: playOnboarding,
  },
  { name: 'a transfer', source: 'docs.stripe.com/connect/separate-charges-and-transfers', play: playTransfer },
  {
    name: 'a subscription under a test clock',
    source: 'docs.stripe.com/billing/testing/test-clocks',
    differs: 'Stripe leaves a renewal as a draft for an hour before it charges; the stand-in need not.',
    play: playSubscription,
  },
  { name: 'the billing portal', source: 'docs.stripe.com/api/customer_portal', play: playPortal },
]

/**
 * Plays the whole way of the money and prints for each step what was seen and where it is not what is documented.
 * @param {Stripe} stripe
 * @param {{ isStandIn: boolean, print: (line: string) => void }} options
 * @returns {Promise<{ failed: number, different: number }>} the number of steps that ended early, and of things that were not as
 *   documented
 */
export async function driveStripe(stripe, { isStandIn, print }) {
  let different = 0
  let failed = 0
  /** @type {World['see']} */
  const see = (what, seen, documented) => {
    const isSame = JSON.stringify(seen) === JSON.stringify(documented)
    if (!isSame) different += 1
    const rest = isSame ? '' : `, but the documentation and the stand-in say ${JSON.stringify(documented)}`
    print(`    ${isSame ? '✓' : '≠'} ${what}: ${JSON.stringify(seen)}${rest}`)
  }
  /** @type {World} */
  const world = { stripe, isStandIn, print, see, poll, run: `drive_${randomUUID()}`, account: null }
  for (const [index, { name, source, differs, play }] of STEPS.entries()) {
    print(`${index + 1}. ${name} (${source})`)
    if (differs) print(`    ~ ${differs}`)
    try {
      await play(world)
    } catch (error) {
      failed += 1
      print(`    ✗ the step ended: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (world.account)
    await stripe.accounts.del(world.account).catch((error) => print(`    ~ not deleted: ${error.message}`))
  return { failed, different }
}

/** @type {World['poll']} */
async function poll(read, isDone) {
  for (let count = 1; ; count += 1) {
    const value = await read()
    if (isDone(value)) return value
    if (count === MOST_POLLS) throw new Error(`nothing came of it within ${(MOST_POLLS * POLL_MS) / 1000} s`)
    await pause(POLL_MS)
  }
}

/**
 * Pays $24 by card.
 * @param {World} world
 * @param {{ name: string, card: string }} sale
 */
async function pay({ stripe, run }, { name, card }) {
  const intent = await stripe.paymentIntents.create({
    amount: 2_400,
    currency: 'usd',
    confirm: true,
    payment_method: card,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    transfer_group: `${run}_${name}`,
    description: 'npm run stripe:drive',
    metadata: { run },
    expand: ['latest_charge.balance_transaction'],
  })
  const charge = /** @type {Stripe.Charge} */ (intent.latest_charge)
  return { intent, charge, movement: /** @type {Stripe.BalanceTransaction | null} */ (charge.balance_transaction) }
}

/**
 * The refusal of a call that Stripe must refuse.
 * @param {Promise<unknown>} call
 */
async function refusalOf(call) {
  try {
    await call
  } catch (error) {
    return /** @type {Stripe.errors.StripeError} */ (error)
  }
  throw new Error('this should have been refused')
}

/** @param {World} world */
async function playSale(world) {
  const { stripe, see, run } = world
  const { intent, charge } = await pay(world, { name: 'sale', card: 'pm_card_visa' })
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
async function playDecline(world) {
  const refusal = await refusalOf(pay(world, { name: 'decline', card: 'pm_card_visa_chargeDeclined' }))
  world.see('type', refusal.type, 'StripeCardError')
  world.see('code', refusal.code, 'card_declined')
  world.see('decline code', refusal.decline_code, 'generic_decline')
  world.see('status of the payment', refusal.payment_intent?.status, 'requires_payment_method')
}

/** @param {World} world */
async function playIdempotency({ stripe, see, run }) {
  const once = (/** @type {number} */ amount) =>
    stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { run } }, { idempotencyKey: run })
  const first = await once(1_000)
  see('the second call has the first answer', (await once(1_000)).id === first.id, true)
  see('other parameters', (await refusalOf(once(1_100))).type, 'StripeIdempotencyError')
  see('status after cancelling', (await stripe.paymentIntents.cancel(first.id)).status, 'canceled')
}

/** @param {World} world */
async function playCheckout({ stripe, see, run }) {
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
async function playRefund(world) {
  const { stripe, see } = world
  const { intent, charge } = await pay(world, { name: 'refund', card: 'pm_card_visa' })
  const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 400 })
  see('status of a part', part.status, 'succeeded')
  await stripe.refunds.create({ payment_intent: intent.id })
  see('refunded in all', (await stripe.charges.retrieve(charge.id)).amount_refunded, 2_400)
  const again = await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))
  see('one more', again.code, 'charge_already_refunded')
}

/** Stripe has several codes for it (docs.stripe.com/error-codes). */
const REFUSES_REFUNDS = ['charge_disputed', 'refund_disputed_payment', 'charge_not_refundable']

/** @param {World} world */
async function playDispute(world) {
  const { stripe, see } = world
  const { intent } = await pay(world, { name: 'dispute', card: 'pm_card_createDispute' })
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

/** Test data that Stripe verifies (docs.stripe.com/connect/testing). */
const PERSON = {
  first_name: 'Jenny',
  last_name: 'Rosen',
  email: 'jenny@example.com',
  phone: '0000000000',
  dob: { day: 1, month: 1, year: 1901 },
  address: {
    line1: 'address_full_match',
    city: 'South San Francisco',
    state: 'CA',
    postal_code: '94080',
    country: 'US',
  },
  id_number: '000000000',
  ssn_last_4: '0000',
}

/** @param {World} world */
async function playOnboarding(world) {
  const { stripe, see, run } = world
  // As the application opens one. Only a person can go through its onboarding.
  const express = await stripe.accounts.create({
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      stripe_dashboard: { type: 'express' },
    },
    capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
    metadata: { run },
  })
  see('a new account can be paid', express.capabilities?.transfers === 'active', false)
  const early = stripe.transfers.create({ amount: 100, currency: 'usd', destination: express.id })
  see('a transfer to it', (await refusalOf(early)).code, 'insufficient_capabilities_for_transfer')
  await stripe.accounts.del(express.id)
  const gone = await refusalOf(stripe.accounts.retrieve(express.id))
  see('after it was deleted', gone.code, 'account_invalid')
  // One whose data we may send.
  const { id } = await stripe.accounts.create({
    country: 'US',
    business_type: 'individual',
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'application',
      stripe_dashboard: { type: 'none' },
    },
    capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
    business_profile: { mcc: '5734', url: 'https://accessible.stripe.com' },
    individual: PERSON,
    external_account: 'btok_us_verified',
    tos_acceptance: { date: Math.floor(Date.now() / 1000), ip: '127.0.0.1' },
    metadata: { run },
  })
  world.account = id
  const ready = await world.poll(
    () => stripe.accounts.retrieve(id),
    ({ capabilities }) => capabilities?.transfers === 'active',
  )
  see('payouts after verification', ready.payouts_enabled, true)
}

/** @param {World} world */
async function playTransfer(world) {
  const { stripe, see, run, account } = world
  if (!account) throw new Error('there is no account that can be paid')
  // At Stripe this card's money is available at once, so that the transfer can be reversed.
  const card = world.isStandIn ? 'pm_card_visa' : 'pm_card_bypassPending'
  const { charge } = await pay(world, { name: 'transfer', card })
  const send = (/** @type {number} */ amount) =>
    stripe.transfers.create({ amount, currency: 'usd', destination: account, source_transaction: charge.id })
  const transfer = await send(2_000)
  see('its transfer_group', transfer.transfer_group, `${run}_transfer`)
  see('more than the charge', (await refusalOf(send(1_000))).type, 'StripeInvalidRequestError')
  await stripe.transfers.createReversal(transfer.id, { amount: 500 })
  see('reversed', (await stripe.transfers.retrieve(transfer.id)).amount_reversed, 500)
  const tooMuch = stripe.transfers.createReversal(transfer.id, { amount: 1_501 })
  see('reversing more than is left', (await refusalOf(tooMuch)).type, 'StripeInvalidRequestError')
}

/** @param {World} world */
async function playSubscription(world) {
  const { stripe, see, run } = world
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000), name: run })
  try {
    const customer = await stripe.customers.create({
      test_clock: clock.id,
      email: 'jenny@example.com',
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    const product = await stripe.products.create({ name: 'Drive' })
    const recurring = /** @type {const} */ ({ interval: 'month' })
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 999, recurring })
    const started = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
    see('status', started.status, 'active')
    const end = started.items.data[0]?.current_period_end ?? 0
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: end + 2 * HOUR_SECONDS })
    const { status } = await world.poll(
      () => stripe.testHelpers.testClocks.retrieve(clock.id),
      (read) => read.status !== 'advancing',
    )
    see('the clock after a month', status, 'ready')
    const renewed = await stripe.subscriptions.retrieve(started.id)
    see('status after a month', renewed.status, 'active')
    see('the next period begins at the end of the first', renewed.items.data[0]?.current_period_start, end)
    const invoices = (await stripe.invoices.list({ subscription: started.id })).data
    see(
      'invoices',
      invoices.map((invoice) => [invoice.billing_reason, invoice.status, invoice.amount_paid]),
      [
        ['subscription_cycle', 'paid', 999],
        ['subscription_create', 'paid', 999],
      ],
    )
    see('status after cancelling', (await stripe.subscriptions.cancel(started.id)).status, 'canceled')
  } finally {
    await stripe.testHelpers.testClocks.del(clock.id)
  }
}

/** @param {World} world */
async function playPortal({ stripe, see, run }) {
  const configuration = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true } },
    metadata: { run },
  })
  const customer = await stripe.customers.create({ email: 'jenny@example.com', metadata: { run } })
  const open = () =>
    stripe.billingPortal.sessions.create({
      customer: customer.id,
      configuration: configuration.id,
      return_url: 'https://drops.example/',
    })
  see('configuration of the session', (await open()).configuration, configuration.id)
  await stripe.billingPortal.configurations.update(configuration.id, { active: false })
  see('with one that is not active', (await refusalOf(open())).type, 'StripeInvalidRequestError')
}
