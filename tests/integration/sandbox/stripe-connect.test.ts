import type Stripe from 'stripe'
import { createWorld, drop, payJson, PAYS, refusalOf, type World } from './stripe-support'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const link = (account: string) =>
  world.stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    return_url: 'http://localhost:3999/payouts',
    refresh_url: 'http://localhost:3999/payouts?expired=1',
  })

function press(url: string, step: string): Promise<Response> {
  return world.standIn.pages(new Request(url, { method: 'POST', body: new URLSearchParams({ step }) }))
}

test('transfers to a new account are refused, and the finished onboarding makes the account ready', async () => {
  const account = await world.stripe.accounts.create({ email: 'a@example.com' })
  expect(account).toMatchObject({ details_submitted: false, payouts_enabled: false })
  const early = await refusalOf(
    world.stripe.transfers.create({ amount: 100, currency: 'usd', destination: account.id }),
  )
  expect(early).toMatchObject({ code: 'insufficient_capabilities_for_transfer', statusCode: 400 })
  const { url } = await link(account.id)
  expect((await world.standIn.pages(new Request(url))).status).toBe(200)
  expect((await press(url, 'leave')).headers.get('location')).toBe('http://localhost:3999/payouts')
  expect(await world.stripe.accounts.retrieve(account.id)).toMatchObject({ details_submitted: false })
  // Each link works for one visit, and the step `leave` has ended this visit.
  expect((await press(url, 'finish')).status).toBe(410)
  await press((await link(account.id)).url, 'finish')
  expect(await world.stripe.accounts.retrieve(account.id)).toMatchObject({
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
  })
  await world.standIn.deliverDue()
  expect(world.types()).toContain('account.updated')
})

test('a link to the onboarding page expires after five minutes', async () => {
  const account = await world.stripe.accounts.create({})
  const { url } = await link(account.id)
  world.advance(6 * 60_000)
  expect((await world.standIn.pages(new Request(url))).status).toBe(410)
  expect((await press(url, 'finish')).status).toBe(410)
  expect(await world.stripe.accounts.retrieve(account.id)).toMatchObject({ details_submitted: false })
})

const DAY_MS = 24 * 60 * 60_000

/**
 * Creates an account that can receive transfers, and a paid charge of $24. @returns calls for transfers and the
 * balance.
 */
async function readyAndPaid(input: Stripe.AccountCreateParams = {}) {
  const account = await world.stripe.accounts.create(input)
  await press((await link(account.id)).url, 'finish')
  const session = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: PAYS })
  const [charge] = (await world.stripe.charges.list()).data
  const sendOwn = (amount: number, more: Partial<Stripe.TransferCreateParams> = {}) =>
    world.stripe.transfers.create({ amount, currency: 'usd', destination: account.id, ...more })
  const send = (amount: number, more: Partial<Stripe.TransferCreateParams> = {}) =>
    sendOwn(amount, { source_transaction: charge?.id ?? '', ...more })
  const balance = async () => {
    const { available, pending } = await world.stripe.balance.retrieve({}, { stripeAccount: account.id })
    return { available: available[0]?.amount, pending: pending[0]?.amount }
  }
  return { send, sendOwn, balance }
}

test('transfers never exceed their charge, and reversals never exceed their transfer', async () => {
  const { send } = await readyAndPaid()
  const transfer = await send(2000)
  await expect(send(500)).rejects.toMatchObject({ param: 'amount' })
  world.advance(3 * DAY_MS)
  await world.stripe.transfers.createReversal(transfer.id, { amount: 1500 })
  await expect(world.stripe.transfers.createReversal(transfer.id, { amount: 501 })).rejects.toMatchObject({
    param: 'amount',
  })
  await world.stripe.transfers.createReversal(transfer.id)
  expect(await world.stripe.transfers.retrieve(transfer.id)).toMatchObject({ amount_reversed: 2000, reversed: true })
  // Stripe does not document whether reversed amounts can be transferred again. The stand-in takes the stricter
  // reading: reversed amounts still count toward the amount of the charge (docs/stripe-rules.md, D4).
  expect(await refusalOf(send(500))).toMatchObject({ param: 'amount' })
  expect(await send(400)).toMatchObject({ amount: 400 })
})

test('transferred money stays pending as long as its charge, and only available money covers a reversal (A6)', async () => {
  // docs.stripe.com/connect/separate-charges-and-transfers, "Transfer availability" and "Reverse transfers"
  const { send, sendOwn, balance } = await readyAndPaid()
  const transfer = await send(2000)
  expect(await balance()).toEqual({ available: 0, pending: 2000 })
  expect(await refusalOf(world.stripe.transfers.createReversal(transfer.id, { amount: 1 }))).toMatchObject({
    type: 'StripeInvalidRequestError',
  })
  // Money from the platform's own balance is available right away, so it covers the reversal.
  await sendOwn(700)
  expect(await balance()).toEqual({ available: 700, pending: 2000 })
  await world.stripe.transfers.createReversal(transfer.id, { amount: 700 })
  expect(await balance()).toEqual({ available: 0, pending: 2000 })
  world.advance(2 * DAY_MS + 1_000)
  expect(await balance()).toEqual({ available: 2000, pending: 0 })
  await world.stripe.transfers.createReversal(transfer.id)
  expect(await balance()).toEqual({ available: 700, pending: 0 })
})

test('money takes a day longer to become available in an account under the recipient agreement (A6)', async () => {
  // docs.stripe.com/connect/service-agreement-types
  const { send, balance } = await readyAndPaid({
    controller: { requirement_collection: 'application', stripe_dashboard: { type: 'none' } },
    capabilities: { transfers: { requested: true } },
    tos_acceptance: { service_agreement: 'recipient' },
  })
  await send(2000)
  world.advance(2 * DAY_MS + 1_000)
  expect(await balance()).toEqual({ available: 0, pending: 2000 })
  world.advance(DAY_MS)
  expect(await balance()).toEqual({ available: 2000, pending: 0 })
})

test('a transfer from a charge is refused when it names another group than the charge has (D3)', async () => {
  // Stripe documents only which group the transfer gets (docs.stripe.com/connect/separate-charges-and-transfers). The
  // stand-in takes the stricter reading.
  const { send } = await readyAndPaid()
  expect(await refusalOf(send(100, { transfer_group: 'mine' }))).toMatchObject({ param: 'transfer_group' })
  const { transfer_group } = await send(100)
  expect(transfer_group).toBe('ord_1')
  expect(await send(100, { transfer_group: transfer_group ?? '' })).toMatchObject({ transfer_group })
})

test('an account that asks for the capability `transfers` alone is refused (A4)', async () => {
  // docs.stripe.com/connect/account-capabilities: the platform needs Stripe's approval for this.
  const alone = world.stripe.accounts.create({ capabilities: { transfers: { requested: true } } })
  expect(await refusalOf(alone)).toMatchObject({ statusCode: 400, message: expect.stringContaining('approval') })
  const both = { transfers: { requested: true }, card_payments: { requested: true } }
  expect(await world.stripe.accounts.create({ capabilities: both })).toMatchObject({ object: 'account' })
})

test('a session is refused if its mode does not fit its prices or a parameter no longer exists at Stripe', async () => {
  const product = await world.stripe.products.create({ name: 'Pro' })
  const price = await world.stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 1000,
    recurring: { interval: 'month' },
    lookup_key: 'pro_monthly',
  })
  expect((await world.stripe.prices.list({ lookup_keys: ['pro_monthly'] })).data[0]?.id).toBe(price.id)
  const items = [{ price: price.id, quantity: 1 }]
  const mixed = await refusalOf(
    world.stripe.checkout.sessions.create({ mode: 'payment', line_items: items, success_url: 'http://localhost/' }),
  )
  expect(mixed.param).toBe('mode')
  const wrong = await refusalOf(world.stripe.checkout.sessions.create({ ...drop, mode: 'subscription' }))
  expect(wrong.param).toBe('line_items')
  const removed = { ...drop, payment_method_types: ['card'] }
  expect((await refusalOf(world.stripe.checkout.sessions.create(removed))).param).toBe('payment_method_types')
  const intent = { amount: 1_000, currency: 'usd', payment_method_types: ['card'] }
  expect((await refusalOf(world.stripe.paymentIntents.create(intent))).param).toBe('payment_method_types')
})
