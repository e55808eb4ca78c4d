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

test('a new account has no capabilities, and transfers to it are refused until it is ready', async () => {
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
  // Each link works for one visit, and leaving the page has ended that visit.
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

test('transfers never exceed their charge, and reversals never exceed their transfer', async () => {
  const account = await world.stripe.accounts.create({})
  await press((await link(account.id)).url, 'finish')
  const session = await world.stripe.checkout.sessions.create(drop)
  await payJson(world.standIn, session.url, { email: 'b@example.com', cardNumber: PAYS })
  const [charge] = (await world.stripe.charges.list()).data
  const send = (amount: number) =>
    world.stripe.transfers.create({
      amount,
      currency: 'usd',
      destination: account.id,
      source_transaction: charge?.id ?? '',
    })
  const transfer = await send(2000)
  await expect(send(500)).rejects.toMatchObject({ param: 'amount' })
  await world.stripe.transfers.createReversal(transfer.id, { amount: 1500 })
  await expect(world.stripe.transfers.createReversal(transfer.id, { amount: 501 })).rejects.toMatchObject({
    param: 'amount',
  })
  await world.stripe.transfers.createReversal(transfer.id)
  expect(await world.stripe.transfers.retrieve(transfer.id)).toMatchObject({ amount_reversed: 2000, reversed: true })
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
})
