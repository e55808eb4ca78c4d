// Stripe refuses some calls unexpectedly. Each test cites the page that says so (docs/stripe-rules.md).
import type Stripe from 'stripe'
import { createWorld, drop, payJson, refusalOf, type World } from './stripe-support'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const links = { refresh_url: 'http://localhost:3999/payouts?expired=1', return_url: 'http://localhost:3999/payouts' }
const capabilities = { transfers: { requested: true }, card_payments: { requested: true } }

async function onboarded(country?: string): Promise<Stripe.Account> {
  const account = await world.stripe.accounts.create({
    email: 'a@example.com',
    capabilities,
    ...(country && { country }),
  })
  const link = await world.stripe.accountLinks.create({ account: account.id, type: 'account_onboarding', ...links })
  const pressed = new Request(link.url, { method: 'POST', body: new URLSearchParams({ step: 'finish' }) })
  expect((await world.standIn.pages(pressed)).status).toBe(303)
  return world.stripe.accounts.retrieve(account.id)
}

test('an account has the platform’s country unless it names its own, and keeps it', async () => {
  // B6, docs.stripe.com/api/accounts/create#create_account-country
  expect((await onboarded()).country).toBe('US')
  expect((await onboarded('DE')).country).toBe('DE')
  const nowhere = world.stripe.accounts.create({ email: 'a@example.com', country: 'XX', capabilities })
  expect(await refusalOf(nowhere)).toMatchObject({ statusCode: 400, param: 'country' })
})

test('transfers cross borders only inside the region', async () => {
  // B6, docs.stripe.com/connect/account-capabilities, docs.stripe.com/connect/cross-border-payouts
  const [near, far] = [await onboarded('FR'), await onboarded('JP')]
  const send = (destination: string) => world.stripe.transfers.create({ amount: 100, currency: 'usd', destination })
  expect((await send(near.id)).destination).toBe(near.id)
  expect((await refusalOf(send(far.id))).message).toContain("Funds can't be sent to accounts located in JP")
})

test('accounts under the recipient agreement cannot ask for card payments', async () => {
  // B6, docs.stripe.com/connect/service-agreement-types
  const tos_acceptance = { service_agreement: 'recipient' }
  expect((await refusalOf(world.stripe.accounts.create({ capabilities, tos_acceptance }))).statusCode).toBe(400)
  const transfers = { transfers: { requested: true } }
  // A platform that collects the requirements may accept it (docs.stripe.com/connect/updating-service-agreements).
  const controller = { requirement_collection: 'application' as const, stripe_dashboard: { type: 'none' as const } }
  const ours = { ...controller, fees: { payer: 'application' as const }, losses: { payments: 'application' as const } }
  const params = { capabilities: transfers, tos_acceptance, controller: ours }
  expect((await world.stripe.accounts.create(params)).id).toMatch(/^acct_/)
})

test('an account link works for one visit, and Express accounts have no links to change their data', async () => {
  // C2, docs.stripe.com/api/account_links
  const { id: account } = await world.stripe.accounts.create({ capabilities })
  const link = await world.stripe.accountLinks.create({ account, type: 'account_onboarding', ...links })
  expect((await world.standIn.pages(new Request(link.url))).status).toBe(200)
  expect((await world.standIn.pages(new Request(link.url))).status).toBe(410)
  const update = world.stripe.accountLinks.create({ account, type: 'account_update', ...links })
  expect(await refusalOf(update)).toMatchObject({ statusCode: 400, param: 'type' })
})

test.each([
  [{ client_reference_id: 'order 1' }, 'client_reference_id'],
  [{ payment_intent_data: { statement_descriptor: 'LASTCALL' } }, 'payment_intent_data[statement_descriptor]'],
  [
    { shipping_address_collection: { allowed_countries: ['US', 'KP'] } },
    'shipping_address_collection[allowed_countries][1]',
  ],
])('a session with %j is refused', async (wrong, param) => {
  // C4, docs.stripe.com/api/checkout/sessions/create, docs.stripe.com/get-started/account/statement-descriptors
  const params = { ...drop, ...wrong } as Stripe.Checkout.SessionCreateParams
  expect(await refusalOf(world.stripe.checkout.sessions.create(params))).toMatchObject({ statusCode: 400, param })
})

test('the fee of a payment is unknown until charge.updated, unless it is captured at once', async () => {
  // C1, docs.stripe.com/payments/payment-intents/asynchronous-capture
  const paid = async (capture_method: 'automatic' | 'automatic_async') => {
    const params = { amount: 2400, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, capture_method }
    const expand = ['latest_charge']
    const intent = await world.stripe.paymentIntents.create({ ...params, return_url: 'http://localhost:3999/', expand })
    return intent.latest_charge as Stripe.Charge
  }
  expect((await paid('automatic')).balance_transaction).not.toBeNull()
  const charge = await paid('automatic_async')
  expect(charge.balance_transaction).toBeNull()
  await world.standIn.deliverDue()
  expect((await world.stripe.charges.retrieve(charge.id)).balance_transaction).toMatch(/^txn_/)
  expect(world.types()).toContain('charge.updated')
})

test('events can be read for 30 days', async () => {
  // C5, docs.stripe.com/api/events
  const params = { amount: 2400, currency: 'usd', payment_method: 'pm_card_visa', confirm: true }
  await world.stripe.paymentIntents.create({ ...params, return_url: 'http://localhost:3999/' })
  const [event] = (await world.stripe.events.list()).data
  world.advance(31 * 24 * 60 * 60 * 1000)
  expect((await world.stripe.events.list()).data).toEqual([])
  expect(await refusalOf(world.stripe.events.retrieve(event!.id))).toMatchObject({ code: 'resource_missing' })
})

test('a decline and a confirmation have events of their own', async () => {
  // C5, docs.stripe.com/api/events/types
  const session = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: '4000000000000002' })
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: '4000000000003220' })
  await world.standIn.deliverDue()
  expect(world.types()).toEqual(expect.arrayContaining(['charge.failed', 'payment_intent.requires_action']))
})

test.each([
  ['needs_response', null, 'charge_disputed'],
  ['under_review', 'my words', 'refund_disputed_payment'],
  ['won', 'winning_evidence', 'charge_not_refundable'],
  ['lost', 'losing_evidence', 'charge_disputed'],
])('a payment whose dispute is %s cannot be refunded', async (status, evidence, code) => {
  // A11, docs.stripe.com/error-codes, docs.stripe.com/disputes/how-disputes-work; after a won dispute it is not documented (D1).
  const session = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: '4000000000000259' })
  const payment_intent = String((await world.stripe.checkout.sessions.retrieve(session.id)).payment_intent)
  const [dispute] = (await world.stripe.disputes.list({ payment_intent })).data
  if (evidence)
    await world.stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: evidence }, submit: true })
  expect((await world.stripe.disputes.retrieve(dispute!.id)).status).toBe(status)
  expect(await refusalOf(world.stripe.refunds.create({ payment_intent }))).toMatchObject({ statusCode: 400, code })
})
