import { driveStripe } from '@/lib/operations/drive-stripe.mjs'
import { createWorld, refusalOf, sdkFor, type World } from './stripe-support'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

/** Runs driveStripe(). Meanwhile the stand-in keeps carrying out its due steps, as it does in a running application. */
async function drive() {
  const lines: string[] = []
  const { standIn } = world
  let isDone = false
  const keepSettling = async () => {
    while (!isDone) await standIn.settleDue()
  }
  const settling = keepSettling()
  const outcome = await driveStripe(world.stripe, { isStandIn: true, print: (line) => lines.push(line) })
  isDone = true
  await settling
  return { ...outcome, lines }
}

it('runs all ten steps against the stand-in, which does everything as documented', async () => {
  const { failed, different, lines } = await drive()
  expect(lines.filter((line) => /^ +[≠✗]/.test(line))).toEqual([])
  expect({ failed, different }).toEqual({ failed: 0, different: 0 })
  expect(lines.filter((line) => /^\d/.test(line))).toHaveLength(10)
  expect((await world.stripe.accounts.list()).data).toEqual([])
  expect((await world.stripe.testHelpers.testClocks.list()).data).toEqual([])
}, 120_000)

it('reports a step that is not as documented, and continues', async () => {
  await world.close()
  world = await createWorld({ platform: { hasConnectProfile: false } })
  const { failed, lines } = await drive()
  expect(lines.filter((line) => line.includes('✗'))).toEqual([
    expect.stringContaining('platform-profile'),
    expect.stringContaining('there is no account that can be paid'),
  ])
  expect(failed).toBe(2)
}, 120_000)

it('fails with one line when Stripe refuses the key, before it runs any step', async () => {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const rolled = sdkFor(world.standIn, 'sk_test_rolled')
  await expect(driveStripe(rolled, { isStandIn: false, print })).rejects.toThrow(
    /^Stripe refuses STRIPE_SECRET_KEY: [^\n]*$/,
  )
  expect(lines).toEqual([])
})

// docs.stripe.com/billing/testing/test-clocks
describe('a test clock', () => {
  const DAY = 86_400

  async function subscribe(card = 'pm_card_visa') {
    const clock = await world.stripe.testHelpers.testClocks.create({ frozen_time: world.nowSeconds() })
    const customer = await world.stripe.customers.create({
      test_clock: clock.id,
      payment_method: card,
      invoice_settings: { default_payment_method: card },
    })
    const product = await world.stripe.products.create({ name: 'Pro' })
    const price = await world.stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 999,
      recurring: { interval: 'month' },
    })
    const subscription = await world.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
    })
    const advance = (days: number) =>
      world.stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: clock.frozen_time + days * DAY })
    const read = () => world.stripe.subscriptions.retrieve(subscription.id)
    return { clock, subscription, advance, read }
  }

  it('renews a subscription only when the clock is advanced, and at the time of the clock', async () => {
    const { clock, advance, read, subscription } = await subscribe()
    world.advance(40 * DAY * 1000)
    await world.standIn.deliverDue()
    expect((await read()).items.data[0]?.current_period_start).toBe(clock.frozen_time)
    expect((await advance(32)).status).toBe('advancing')
    const [item] = (await read()).items.data
    expect(item?.current_period_start).toBe(subscription.items.data[0]?.current_period_end)
    const [renewal] = (await world.stripe.invoices.list({ subscription: subscription.id })).data
    expect(renewal).toMatchObject({ billing_reason: 'subscription_cycle', created: clock.frozen_time + 32 * DAY })
    expect((await world.stripe.testHelpers.testClocks.retrieve(clock.id)).status).toBe('ready')
  })

  it('can only be advanced forwards, and by at most two billing periods', async () => {
    const { advance } = await subscribe()
    expect((await refusalOf(advance(0))).param).toBe('frozen_time')
    expect((await refusalOf(advance(63))).param).toBe('frozen_time')
  })

  it('ends a subscription whose first payment fails, and does not renew it', async () => {
    const { advance, read } = await subscribe('pm_card_chargeCustomerFail')
    expect((await read()).status).toBe('incomplete')
    await advance(32)
    expect((await read()).status).toBe('incomplete_expired')
  })

  it('does not exist in live mode', async () => {
    await world.close()
    world = await createWorld({ isLive: true })
    const refusal = await refusalOf(world.stripe.testHelpers.testClocks.create({ frozen_time: world.nowSeconds() }))
    expect(refusal.message).toContain('test mode only')
  })
})
