import { createWorld, drop, refusalOf, type World } from './stripe-support'

let world: World

afterEach(() => world.close())

// docs.stripe.com/api/customer_portal/sessions/create (docs/stripe-rules.md, B5). Issue 13245 of github.com/mozilla/fxa
// quotes Stripe's refusal of a portal without a configuration.
describe('a billing portal', () => {
  beforeEach(async () => {
    world = await createWorld()
  })

  const open = async (configuration?: string) => {
    const customer = (await world.stripe.customers.create({})).id
    return world.stripe.billingPortal.sessions.create({ customer, ...(configuration && { configuration }) })
  }
  const configure = () =>
    world.stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true }, subscription_cancel: { enabled: true, mode: 'at_period_end' } },
      default_return_url: 'http://localhost:3999/',
    })

  it('is refused without a configuration', async () => {
    const refusal = await refusalOf(open())
    expect(refusal).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' })
    expect(refusal.message).toMatch(/^No configuration provided and your test mode default configuration has not been/)
    expect((await refusalOf(open('bpc_unknown'))).code).toBe('resource_missing')
  })

  it('opens with a configuration, which can be listed and switched off', async () => {
    const { id } = await configure()
    expect((await world.stripe.billingPortal.configurations.list({ active: true })).data).toMatchObject([
      {
        id,
        is_default: false,
        features: { invoice_history: { enabled: true }, subscription_update: { enabled: false } },
      },
    ])
    expect(await open(id)).toMatchObject({ configuration: id, return_url: 'http://localhost:3999/' })
    await world.stripe.billingPortal.configurations.update(id, { active: false })
    expect((await refusalOf(open(id))).param).toBe('configuration')
    expect((await world.stripe.billingPortal.configurations.list({ active: true })).data).toEqual([])
  })
})

describe('live mode', () => {
  // docs.stripe.com/api/account_links/create (docs/stripe-rules.md, B10)
  it('accepts only HTTPS URLs for the return to the application', async () => {
    world = await createWorld({ isLive: true })
    const account = (await world.stripe.accounts.create({})).id
    const link = (origin: string) =>
      world.stripe.accountLinks.create({
        account,
        type: 'account_onboarding',
        return_url: `${origin}/payouts`,
        refresh_url: `${origin}/payouts`,
      })
    expect(await refusalOf(link('http://drops.example'))).toMatchObject({ param: 'return_url', statusCode: 400 })
    await link('https://drops.example')
    expect(await refusalOf(world.stripe.checkout.sessions.create(drop))).toMatchObject({ param: 'success_url' })
    await world.stripe.checkout.sessions.create({
      ...drop,
      success_url: 'https://drops.example/paid',
      cancel_url: 'https://drops.example/',
    })
  })

  it('is stricter than test mode, which accepts HTTP URLs', async () => {
    world = await createWorld()
    await world.stripe.checkout.sessions.create(drop)
  })
})

// The stand-in refuses as Stripe does (docs.stripe.com/connect/platform-controls).
test('a platform without a Connect profile cannot create connected accounts', async () => {
  world = await createWorld({ platform: { hasConnectProfile: false } })
  expect((await refusalOf(world.stripe.accounts.create({}))).message).toContain('platform-profile')
})

test('a domain for wallets is registered once and can be switched off', async () => {
  world = await createWorld()
  const register = () => world.stripe.paymentMethodDomains.create({ domain_name: 'drops.example' })
  const { id } = await register()
  expect((await register()).id).toBe(id)
  await world.stripe.paymentMethodDomains.update(id, { enabled: false })
  const find = (enabled: boolean) => world.stripe.paymentMethodDomains.list({ domain_name: 'drops.example', enabled })
  expect([(await find(true)).data.length, (await find(false)).data.length]).toEqual([0, 1])
  const wrong = await refusalOf(world.stripe.paymentMethodDomains.create({ domain_name: 'https://drops.example/' }))
  expect(wrong.param).toBe('domain_name')
})

test('the platform’s account has the configured country, currency and payout interval', async () => {
  world = await createWorld({ platform: { country: 'GB', currency: 'gbp', payoutInterval: 'daily' } })
  expect(await world.stripe.accounts.retrieveCurrent()).toMatchObject({
    country: 'GB',
    default_currency: 'gbp',
    settings: { payouts: { schedule: { interval: 'daily' } } },
  })
})
