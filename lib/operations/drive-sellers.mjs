import { connectedAccountParams } from '../kernel/connected-account-params.mjs'
import { payByCard, refusalOf } from './drive-world.mjs'

/**
 * @import { World } from './drive-world.mjs'
 */

const HOUR_SECONDS = 3_600

/** Test data that Stripe accepts as verified (docs.stripe.com/connect/testing). */
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
export async function playOnboarding(world) {
  const { stripe, see, run } = world
  // This opens an account as the application does. Only a person can complete the onboarding of such an account.
  const express = await stripe.accounts.create({ ...connectedAccountParams, metadata: { run } })
  see('a new account can be paid', express.capabilities?.transfers === 'active', false)
  const early = stripe.transfers.create({ amount: 100, currency: 'usd', destination: express.id })
  see('a transfer to it', (await refusalOf(early)).code, 'insufficient_capabilities_for_transfer')
  await stripe.accounts.del(express.id)
  const gone = await refusalOf(stripe.accounts.retrieve(express.id))
  see('after it was deleted', gone.code, 'account_invalid')
  // This opens an account whose data we may send ourselves, so that Stripe can verify the data.
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
export async function playTransfer(world) {
  const { stripe, see, run, account } = world
  if (!account) throw new Error('there is no account that can be paid')
  // The money of this card is available right away, so that the transfer can be reversed.
  const { charge } = await payByCard(world, { name: 'transfer', card: 'pm_card_bypassPending' })
  await world.poll(
    () => stripe.charges.retrieve(charge.id),
    (read) => read.balance_transaction !== null,
  )
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
export async function playSubscription(world) {
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
    see('status after canceling', (await stripe.subscriptions.cancel(started.id)).status, 'canceled')
  } finally {
    await stripe.testHelpers.testClocks.del(clock.id)
  }
}

/** @param {World} world */
export async function playPortal({ stripe, see, run }) {
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
