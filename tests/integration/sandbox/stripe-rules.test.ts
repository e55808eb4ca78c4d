// These tests check rules of Stripe that are easy to miss. Each test names its rule in docs/stripe-rules.md, and the
// page of Stripe's documentation that states the rule.
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

test('a new account has the platform’s country unless it names another one, and an unknown country is refused', async () => {
  // B6, docs.stripe.com/api/accounts/create#create_account-country
  expect((await onboarded()).country).toBe('US')
  expect((await onboarded('DE')).country).toBe('DE')
  const nowhere = world.stripe.accounts.create({ email: 'a@example.com', country: 'XX', capabilities })
  expect(await refusalOf(nowhere)).toMatchObject({ statusCode: 400, param: 'country' })
})

test('transfers cross borders only inside the region of the platform', async () => {
  // B6, docs.stripe.com/connect/account-capabilities, docs.stripe.com/connect/cross-border-payouts
  const [near, far] = [await onboarded('FR'), await onboarded('JP')]
  const send = (destination: string) => world.stripe.transfers.create({ amount: 100, currency: 'usd', destination })
  expect((await send(near.id)).destination).toBe(near.id)
  expect((await refusalOf(send(far.id))).message).toContain("Funds can't be sent to accounts located in JP")
})

test('a platform outside the region of cross-border transfers sends only to accounts of its own country', async () => {
  // B6, docs.stripe.com/connect/account-capabilities
  await world.close()
  world = await createWorld({
    platform: { currency: 'usd', country: 'BR', payoutInterval: 'manual', hasConnectProfile: true },
  })
  const [own, french] = [await onboarded(), await onboarded('FR')]
  expect(own.country).toBe('BR')
  const send = (destination: string) => world.stripe.transfers.create({ amount: 100, currency: 'usd', destination })
  expect((await refusalOf(send(french.id))).message).toContain("Funds can't be sent to accounts located in FR")
})

test('accounts under the recipient agreement cannot ask for card payments', async () => {
  // B6, docs.stripe.com/connect/service-agreement-types
  const tos_acceptance = { service_agreement: 'recipient' }
  expect((await refusalOf(world.stripe.accounts.create({ capabilities, tos_acceptance }))).statusCode).toBe(400)
  const transfers = { transfers: { requested: true } }
  // A platform that collects the requirements may use this agreement
  // (docs.stripe.com/connect/updating-service-agreements).
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

test('the fee of a payment is unknown until charge.updated, unless the payment is captured synchronously', async () => {
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

test('a page of events is filled only with events of the account that the request is for', async () => {
  // docs.stripe.com/api/pagination
  const params = { amount: 2400, currency: 'usd', payment_method: 'pm_card_visa', confirm: true }
  await world.stripe.paymentIntents.create({ ...params, return_url: 'http://localhost:3999/' })
  const { id: stripeAccount } = await onboarded()
  const page = await world.stripe.events.list({ limit: 1 })
  expect(page.data).toHaveLength(1)
  expect(page.data[0]).not.toHaveProperty('account')
  const all = await world.stripe.events.list({ limit: 100 })
  expect(all.data.filter(({ account }) => account !== undefined)).toEqual([])
  const own = await world.stripe.events.list({ limit: 100 }, { stripeAccount })
  expect(new Set(own.data.map(({ account }) => account))).toEqual(new Set([stripeAccount]))
})

test('a declined payment and a requested confirmation each send their own event', async () => {
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
  // A11, docs.stripe.com/error-codes, docs.stripe.com/disputes/how-disputes-work. Stripe does not document refunds
  // after a won dispute (D1).
  const session = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: '4000000000000259' })
  const payment_intent = String((await world.stripe.checkout.sessions.retrieve(session.id)).payment_intent)
  const [dispute] = (await world.stripe.disputes.list({ payment_intent })).data
  if (evidence)
    await world.stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: evidence }, submit: true })
  expect((await world.stripe.disputes.retrieve(dispute!.id)).status).toBe(status)
  expect(await refusalOf(world.stripe.refunds.create({ payment_intent }))).toMatchObject({ statusCode: 400, code })
})

const CARD = { amount: 2400, currency: 'usd', return_url: 'http://localhost:3999/' }
const DAY = 24 * 60 * 60

test('a declined card leaves the intent open with the reason, and the twentieth decline cancels the intent', async () => {
  // C8, docs.stripe.com/payments/paymentintents/lifecycle, docs.stripe.com/declines
  const { id } = await world.stripe.paymentIntents.create(CARD)
  const decline = () =>
    refusalOf(world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }))
  expect(await decline()).toMatchObject({ type: 'StripeCardError', code: 'card_declined' })
  const after = await world.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
  expect(after).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
    latest_charge: { status: 'failed', paid: false, failure_code: 'card_declined' },
  })
  for (let tries = 1; tries < 20; tries += 1) await decline()
  expect(await world.stripe.paymentIntents.retrieve(id)).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'automatic',
  })
  expect(await decline()).toMatchObject({ code: 'payment_intent_unexpected_state' })
  await world.standIn.deliverDue()
  expect(world.types().filter((type) => type === 'charge.failed')).toHaveLength(20)
  expect(world.types()).toContain('payment_intent.canceled')
})

async function monthly(card: string) {
  const customer = await world.stripe.customers.create({
    payment_method: card,
    invoice_settings: { default_payment_method: card },
  })
  const { id: product } = await world.stripe.products.create({ name: 'Pro' })
  const price = await world.stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 999,
    recurring: { interval: 'month' },
  })
  return world.stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
}

test('a subscription whose first payment fails is incomplete, and expires after 23 hours', async () => {
  // C9, docs.stripe.com/billing/subscriptions/overview#subscription-statuses
  const { id, status, latest_invoice } = await monthly('pm_card_visa_chargeDeclined')
  expect(status).toBe('incomplete')
  world.advance(22 * 60 * 60 * 1000)
  await world.standIn.settleDue()
  expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('incomplete')
  world.advance(60 * 60 * 1000)
  await world.standIn.deliverDue()
  expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired')
  expect((await world.stripe.invoices.retrieve(String(latest_invoice))).status).toBe('void')
  expect(world.types()).toEqual(expect.arrayContaining(['customer.subscription.updated', 'invoice.voided']))
  expect((await refusalOf(world.stripe.subscriptions.cancel(id))).statusCode).toBe(404)
  const update = world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect((await refusalOf(update)).statusCode).toBe(400)
  expect((await world.stripe.subscriptions.list({ status: 'ended' })).data.map((one) => one.id)).toEqual([id])
})

test('a subscription whose payment the cardholder must confirm is incomplete, and events report it', async () => {
  // C9, docs.stripe.com/billing/subscriptions/overview#requires-action
  const { status } = await monthly('pm_card_threeDSecure2Required')
  expect(status).toBe('incomplete')
  await world.standIn.deliverDue()
  expect(world.types()).toEqual(
    expect.arrayContaining([
      'invoice.payment_action_required',
      'invoice.payment_failed',
      'payment_intent.requires_action',
    ]),
  )
})

async function press(account: string, step: string): Promise<Stripe.Account> {
  const link = await world.stripe.accountLinks.create({ account, type: 'account_onboarding', ...links })
  await world.standIn.pages(new Request(link.url, { method: 'POST', body: new URLSearchParams({ step }) }))
  return world.stripe.accounts.retrieve(account)
}

test('a requirement restricts an account only when its deadline has passed', async () => {
  // C10, docs.stripe.com/connect/handling-api-verification
  const { id } = await onboarded()
  const before = world.nowSeconds()
  const asked = await press(id, 'ask')
  expect(asked).toMatchObject({
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
    requirements: { currently_due: ['individual.verification.document'], past_due: [], disabled_reason: null },
  })
  // The second may have ended meanwhile.
  const deadline = asked.requirements?.current_deadline
  expect(deadline).toBeGreaterThanOrEqual(before + 14 * DAY)
  expect(deadline).toBeLessThanOrEqual(world.nowSeconds() + 14 * DAY)
  world.advance(14 * DAY * 1000 + 1000)
  await world.standIn.deliverDue()
  expect(await world.stripe.accounts.retrieve(id)).toMatchObject({
    payouts_enabled: false,
    capabilities: { transfers: 'inactive' },
    requirements: { past_due: ['individual.verification.document'], disabled_reason: 'requirements.past_due' },
  })
  // Events are counted by id, because an event may be delivered twice.
  const changes = world.received.map(({ event }) => event).filter(({ type }) => type === 'capability.updated')
  expect(new Set(changes.map((event) => event.id)).size).toBe(2)
  // An account that submits what is required in time stays unrestricted.
  const other = await onboarded()
  await press(other.id, 'ask')
  await press(other.id, 'finish')
  world.advance(15 * DAY * 1000)
  await world.standIn.settleDue()
  expect((await world.stripe.accounts.retrieve(other.id)).payouts_enabled).toBe(true)
})

test('payouts to the bank can stop while transfers to the account go on', async () => {
  // C10, docs.stripe.com/connect/account-capabilities
  const { id } = await onboarded()
  const stopped = await press(id, 'stop-bank')
  expect(stopped).toMatchObject({ payouts_enabled: false, capabilities: { transfers: 'active' } })
  expect((await world.stripe.transfers.create({ amount: 100, currency: 'usd', destination: id })).amount).toBe(100)
})

const text = (length: number) => 'x'.repeat(length)
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '1']))
const lines = (count: number, images = 0) =>
  Array.from({ length: count }, () => ({
    quantity: 1,
    price_data: {
      currency: 'usd',
      unit_amount: 100,
      product_data: {
        name: 'x',
        images: Array.from({ length: images }, (_, index) => `https://img.example/${index}.jpg`),
      },
    },
  }))

test.each([
  ['100 lines', { line_items: lines(100) }, { line_items: lines(101) }],
  ['8 images', { line_items: lines(1, 8) }, { line_items: lines(1, 9) }],
  [
    'custom text of 1,200 characters',
    { custom_text: { submit: { message: text(1_200) } } },
    { custom_text: { submit: { message: text(1_201) } } },
  ],
  ['50 keys of metadata', { metadata: keys(50) }, { metadata: keys(51) }],
  ['metadata keys of 40 characters', { metadata: { [text(40)]: '1' } }, { metadata: { [text(41)]: '1' } }],
  ['metadata values of 500 characters', { metadata: { k: text(500) } }, { metadata: { k: text(501) } }],
  ['a reference of 200 characters', { client_reference_id: text(200) }, { client_reference_id: text(201) }],
])('a session accepts %s and no more', async (_what, most, tooMuch) => {
  // C11, docs.stripe.com/api/checkout/sessions/create, docs.stripe.com/api/metadata
  expect((await world.stripe.checkout.sessions.create({ ...drop, ...most })).status).toBe('open')
  expect((await refusalOf(world.stripe.checkout.sessions.create({ ...drop, ...tooMuch }))).statusCode).toBe(400)
})

test('a payment must be $0.50 to $999,999.99, and an idempotency key may have at most 255 characters', async () => {
  // C11, docs.stripe.com/currencies#minimum-and-maximum-charge-amounts, docs.stripe.com/api/idempotent_requests
  const create = (amount: number, idempotencyKey?: string) =>
    world.stripe.paymentIntents.create({ amount, currency: 'usd' }, { ...(idempotencyKey && { idempotencyKey }) })
  for (const amount of [50, 99_999_999]) expect((await create(amount)).amount).toBe(amount)
  for (const amount of [49, 100_000_000]) expect((await refusalOf(create(amount))).statusCode).toBe(400)
  expect((await create(50, text(255))).amount).toBe(50)
  expect((await refusalOf(create(50, text(256)))).statusCode).toBe(400)
})

test('a call that the state of its session, intent or account does not allow is refused', async () => {
  // C12, docs.stripe.com/api/checkout/sessions/expire, docs.stripe.com/api/payment_intents/cancel,
  // docs.stripe.com/api/accounts/login_link/create, docs.stripe.com/connect/account-capabilities
  const session = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: '4242424242424242' })
  expect((await refusalOf(world.stripe.checkout.sessions.expire(session.id))).statusCode).toBe(400)
  const open = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, open.url, { email: 'b@example.com', cardNumber: '4000000000000002' })
  const { payment_intent } = await world.stripe.checkout.sessions.retrieve(open.id)
  expect((await refusalOf(world.stripe.paymentIntents.cancel(String(payment_intent)))).statusCode).toBe(400)
  const { id } = await world.stripe.accounts.create({ capabilities })
  expect((await refusalOf(world.stripe.accounts.createLoginLink(id))).statusCode).toBe(400)
  const early = world.stripe.transfers.create({ amount: 100, currency: 'usd', destination: id })
  expect(await refusalOf(early)).toMatchObject({ code: 'insufficient_capabilities_for_transfer' })
})

test('a refund returns no fee and does not reverse the transfers of its charge', async () => {
  // C13, docs.stripe.com/refunds, docs.stripe.com/connect/separate-charges-and-transfers#issue-refunds
  const { id: destination } = await onboarded()
  const intent = await world.stripe.paymentIntents.create({ ...CARD, payment_method: 'pm_card_visa', confirm: true })
  await world.standIn.settleDue()
  const source_transaction = String(intent.latest_charge)
  const transfer = await world.stripe.transfers.create({
    amount: 2000,
    currency: 'usd',
    destination,
    source_transaction,
  })
  const refund = await world.stripe.refunds.create({ charge: source_transaction, expand: ['balance_transaction'] })
  expect(refund.balance_transaction).toMatchObject({ amount: -2400, fee: 0, net: -2400 })
  const charge = await world.stripe.charges.retrieve(source_transaction, { expand: ['balance_transaction'] })
  expect(charge.balance_transaction).toMatchObject({ fee: 100 })
  expect(await world.stripe.transfers.retrieve(transfer.id)).toMatchObject({ amount_reversed: 0, reversed: false })
})

test('a call for an object that another request has locked is refused with lock_timeout', async () => {
  // C14, docs.stripe.com/rate-limits#object-lock-timeouts
  const { id } = await world.stripe.paymentIntents.create(CARD)
  const holder = await world.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM "SandboxObject" WHERE "id" = $1 FOR UPDATE', [id])
  const refusal = await refusalOf(world.stripe.paymentIntents.update(id, { amount: 700 }))
  await holder.query('ROLLBACK')
  holder.release()
  expect(refusal).toMatchObject({ statusCode: 429, code: 'lock_timeout' })
}, 30_000)

test('a payout of an account arrives, or the bank refuses it even later, which returns the money and stops further payouts', async () => {
  // C18, docs.stripe.com/api/payouts/object#payout_object-status, docs.stripe.com/connect/payouts-connected-accounts
  const { id } = await onboarded()
  const ofAccount = { stripeAccount: id }
  await world.stripe.transfers.create({ amount: 900, currency: 'usd', destination: id })
  const balance = async () => (await world.stripe.balance.retrieve({}, ofAccount)).available[0]!.amount
  const { id: payout, status } = await world.stripe.payouts.create({ amount: 900, currency: 'usd' }, ofAccount)
  expect([status, await balance()]).toEqual(['pending', 0])
  world.advance(2 * DAY * 1000 + 1000)
  await world.standIn.deliverDue()
  expect((await world.stripe.payouts.retrieve(payout, {}, ofAccount)).status).toBe('paid')
  // Without the account, Stripe does not find the payout.
  expect((await refusalOf(world.stripe.payouts.retrieve(payout))).statusCode).toBe(404)

  await world.standIn.bankDoes(payout, 'refuse-payout')
  await world.standIn.deliverDue()
  expect(await world.stripe.payouts.retrieve(payout, {}, ofAccount)).toMatchObject({
    status: 'failed',
    failure_code: 'account_closed',
  })
  expect(await balance()).toBe(900)
  expect(await world.stripe.accounts.retrieve(id)).toMatchObject({
    payouts_enabled: false,
    capabilities: { transfers: 'active' },
    requirements: { currently_due: ['external_account'] },
  })
  const sent = world.received.flatMap(({ event }) => (event.type.startsWith('payout.') ? [event] : []))
  expect(new Set(sent.map((event) => `${event.type} of ${event.account}`))).toEqual(
    new Set(['created', 'paid', 'failed'].map((name) => `payout.${name} of ${id}`)),
  )
})

test('a refused payout of the platform returns to its balance as a movement of its own', async () => {
  // C18, docs.stripe.com/api/payouts/object
  const available = async () => (await world.stripe.balance.retrieve()).available[0]!.amount
  const before = await available()
  const { id } = await world.stripe.payouts.create({ amount: 500, currency: 'usd' })
  expect(await available()).toBe(before - 500)
  await world.standIn.bankDoes(id, 'refuse-payout')
  expect(await available()).toBe(before)
  const failed = await world.stripe.payouts.retrieve(id, { expand: ['failure_balance_transaction'] })
  expect(failed.failure_balance_transaction).toMatchObject({ type: 'payout_failure', amount: 500, source: id })
})

test('future requirements restrict nothing, and become requirements with a deadline on their day', async () => {
  // C19, docs.stripe.com/connect/handle-verification-updates
  const { id, future_requirements: none } = await onboarded()
  expect(none).toMatchObject({ currently_due: [], current_deadline: null })
  const announced = await press(id, 'announce')
  expect(announced).toMatchObject({
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
    requirements: { currently_due: [], current_deadline: null },
    future_requirements: { currently_due: ['individual.verification.document'], disabled_reason: null },
  })
  expect(announced.future_requirements?.current_deadline).toBeGreaterThan(world.nowSeconds())
  world.advance(30 * DAY * 1000 + 1000)
  await world.standIn.settleDue()
  const begun = await world.stripe.accounts.retrieve(id)
  expect(begun).toMatchObject({
    payouts_enabled: true,
    requirements: { currently_due: ['individual.verification.document'], past_due: [] },
    future_requirements: { currently_due: [], current_deadline: null },
  })
  expect(begun.requirements?.current_deadline).toBeGreaterThan(world.nowSeconds())
})

test('automatic tax needs complete settings, prices that say whether they contain it, and the address of a known customer', async () => {
  // B11, docs.stripe.com/tax/checkout, docs.stripe.com/tax/products-prices-tax-codes-tax-behavior
  const automatic_tax = { enabled: true }
  const price = { currency: 'usd', unit_amount: 1200, product_data: { name: 'Zine' } }
  const session = (tax_behavior?: 'inclusive', customer?: string) => ({
    ...drop,
    automatic_tax,
    ...(customer && { customer }),
    line_items: [{ quantity: 2, price_data: { ...price, ...(tax_behavior && { tax_behavior }) } }],
  })
  expect(await refusalOf(world.stripe.checkout.sessions.create(session()))).toMatchObject({
    param: 'line_items[0][price_data][tax_behavior]',
  })
  const customer = await world.stripe.customers.create({ email: 'a@example.com' })
  expect(await refusalOf(world.stripe.checkout.sessions.create(session('inclusive', customer.id)))).toMatchObject({
    code: 'customer_tax_location_invalid',
  })
  expect((await world.stripe.checkout.sessions.create(session('inclusive'))).automatic_tax.enabled).toBe(true)
  await world.close()
  world = await createWorld({ platform: { taxRates: null } })
  expect((await refusalOf(world.stripe.checkout.sessions.create(session('inclusive')))).message).toContain(
    'head office',
  )
})
