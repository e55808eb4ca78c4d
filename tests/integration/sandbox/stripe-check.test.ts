import Stripe from 'stripe'
import { PLATFORM_EVENTS } from '@/lib/kernel/stripe-events.mjs'
import { checkStripe } from '@/lib/operations/check-stripe.mjs'
import { Refusal } from '@/lib/operations/refusal.mjs'
import type { StandInOptions } from '@/lib/sandbox/stripe/stand-in'
import { createWorld, sdkFor, type World } from './stripe-support'

let world: World

afterEach(() => world.close())

const APP_URL = 'https://drops.example'
const ACCOUNT = 'SandboxPlatform'
const expected = {
  appUrl: APP_URL,
  mode: 'test' as const,
  secretKey: `sk_test_51${ACCOUNT}abc`,
  publishableKey: `pk_test_51${ACCOUNT}def`,
}

/** Sets up a platform at the stand-in as docs/stripe.md says. */
async function complete(options: Partial<StandInOptions> = {}): Promise<World> {
  world = await createWorld({ appUrl: APP_URL, ...options })
  await world.stripe.billingPortal.configurations.create({ features: { invoice_history: { enabled: true } } })
  await world.stripe.paymentMethodDomains.create({ domain_name: 'drops.example' })
  return world
}

const check = (changes: Partial<Parameters<typeof checkStripe>[1]> = {}) =>
  checkStripe(world.stripe, { ...expected, ...changes })

/** Returns the problems that the check finds, each as `name: text`. */
async function problems(changes?: Parameters<typeof check>[0]): Promise<string[]> {
  return (await check(changes)).filter(({ level }) => level === 'problem').map(({ name, text }) => `${name}: ${text}`)
}

const endpoint = async (isConnect: boolean) =>
  (await world.stripe.webhookEndpoints.list()).data.find((each) => (each.application !== null) === isConnect)?.id ?? ''

it('finds no problem on a platform that is set up, and leaves no account behind', async () => {
  await complete()
  const findings = await check()
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(findings.map(({ name }) => name)).toEqual([
    'keys',
    'clock',
    'API version',
    'account',
    'settlement currency',
    'region',
    'Connect',
    'payouts',
    'platform endpoint',
    'Connect endpoint',
    'deliveries',
    'billing portal',
    'wallets',
  ])
  expect((await world.stripe.accounts.list()).data).toEqual([])
})

it('recognizes the endpoint for connected accounts by its events when Stripe states no application', async () => {
  await complete()
  const connect = await endpoint(true)
  await world.stripe.webhookEndpoints.update(connect, { enabled_events: ['account.updated'] })
  const list = world.stripe.webhookEndpoints.list.bind(world.stripe.webhookEndpoints)
  const { data } = await list()
  const unmarked = { data: data.map((each) => ({ ...each, application: null })) }
  Object.assign(world.stripe.webhookEndpoints, { list: () => Promise.resolve(unmarked) })
  expect(await problems()).toEqual([expect.stringMatching(`^Connect endpoint: ${connect} lacks account`)])
})

it('names the events that an endpoint lacks', async () => {
  await complete()
  await world.stripe.webhookEndpoints.update(await endpoint(false), {
    enabled_events: PLATFORM_EVENTS.filter((type) => type !== 'refund.failed' && type !== 'invoice.paid'),
  })
  await world.stripe.webhookEndpoints.update(await endpoint(true), { enabled_events: ['account.updated'] })
  expect(await problems()).toEqual([
    expect.stringMatching(/^platform endpoint: we_\w+ lacks invoice\.paid, refund\.failed: add them/),
    expect.stringMatching(
      /^Connect endpoint: we_\w+ lacks account\.application\.deauthorized, capability\.updated, payout\.failed: add/,
    ),
  ])
})

it('says which endpoint is disabled or missing, and what it needs', async () => {
  await complete()
  await world.stripe.webhookEndpoints.update(await endpoint(true), { disabled: true })
  expect(await problems()).toEqual([expect.stringMatching(/^Connect endpoint: .* is disabled/)])
  expect(await problems({ appUrl: 'https://elsewhere.example' })).toEqual([
    expect.stringContaining('platform endpoint: there is none for https://elsewhere.example/api/webhooks/stripe'),
    expect.stringMatching(/^Connect endpoint: there is none .* account\.updated.* STRIPE_CONNECT_WEBHOOK_SECRET$/),
    expect.stringMatching(/^wallets: elsewhere\.example is not registered/),
  ])
})

it('reports a wrong signing secret when deliveries to its endpoint were refused', async () => {
  await complete()
  // The application responds with 400 to an event that is signed with another secret.
  world.answerWith(400)
  const { id } = await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.stripe.paymentIntents.cancel(id)
  await world.standIn.deliverDue()
  const later = () => {
    world.advance(180_000)
    return problems({ now: () => world.nowSeconds() * 1000 })
  }
  expect(await problems()).toEqual([])
  expect(await later()).toEqual([expect.stringMatching(/^deliveries: an event .* to STRIPE_WEBHOOK_SECRET/)])
  world.answerWith(200)
  world.advance(120_000)
  await world.standIn.deliverDue()
  world.answerWith(400)
  await world.stripe.accounts.create({})
  await world.standIn.deliverDue()
  expect(await later()).toEqual([expect.stringMatching(/^deliveries: an event .* to STRIPE_CONNECT_WEBHOOK_SECRET/)])
})

it('reports a missing configuration of the billing portal and a missing domain for wallets', async () => {
  world = await createWorld({ appUrl: APP_URL })
  expect(await problems()).toEqual([
    expect.stringMatching(/^billing portal: has no configuration: start the application with these keys/),
    expect.stringMatching(/^wallets: drops\.example is not registered: start the application/),
  ])
})

it('says what to change in the settings of the platform’s own account', async () => {
  await complete({ platform: { currency: 'eur', country: 'BR', payoutInterval: 'daily', hasConnectProfile: false } })
  expect(await problems()).toEqual([
    expect.stringMatching(/^settlement currency: sales in usd are settled in eur/),
    expect.stringMatching(/^Connect: complete the platform profile .*platform-profile/),
  ])
  const notes = (await check()).filter(({ level }) => level === 'note').map(({ name }) => name)
  expect(notes).toEqual(['region', 'payouts'])
})

it('accepts an account in another currency once a sale was settled in dollars', async () => {
  await complete({ platform: { currency: 'eur' } })
  const { id } = await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  // Stripe reports the balance transaction of a payment only some time later.
  world.advance(60_000)
  await world.standIn.settleDue()
  expect(await problems()).toEqual([])
})

it('does not blame the platform profile when Stripe cannot be reached', async () => {
  await complete()
  const fail = () => Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'no route', type: 'api_error' }))
  Object.assign(world.stripe.accounts, { create: fail })
  expect(await problems()).toEqual(['Connect: this could not be read from Stripe: no route'])
})

it('names an endpoint that sends events of another version', async () => {
  await complete()
  const list = world.stripe.webhookEndpoints.list.bind(world.stripe.webhookEndpoints)
  const [first, ...others] = (await list()).data
  const data = [{ ...first, api_version: '2020-08-27' }, ...others]
  Object.assign(world.stripe.webhookEndpoints, { list: () => Promise.resolve({ data }) })
  expect(await problems()).toEqual([
    expect.stringMatching(/^API version: we_\w+ sends events of version 2020-08-27, but/),
  ])
})

it('does not open an account in live mode', async () => {
  await complete({ platform: { hasConnectProfile: false } })
  expect(await problems({ mode: 'live' })).toEqual([])
})

it('reports keys that belong to different accounts, and a wrong clock', async () => {
  await complete()
  expect(await problems({ publishableKey: 'pk_test_51Another' })).toEqual([
    expect.stringMatching(/^keys: NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY belongs to another account/),
  ])
  expect(await problems({ now: () => Date.now() + 400_000 })).toEqual([
    expect.stringMatching(/^clock: is (399|400|401) s ahead of Stripe's/),
  ])
})

it('fails with one line when Stripe cannot be reached or refuses the key', async () => {
  await complete()
  const away = new Stripe('sk_test_1', {
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(() => Promise.reject(new TypeError('fetch failed'))),
  })
  await expect(checkStripe(away, expected)).rejects.toThrow(
    expect.objectContaining({
      constructor: Refusal,
      message: expect.stringMatching(/^Stripe cannot be reached[^\n]*$/),
    }),
  )
  await expect(checkStripe(sdkFor(world.standIn, 'sk_test_rolled'), expected)).rejects.toThrow(
    /^Stripe refuses STRIPE_SECRET_KEY: [^\n]*$/,
  )
})

describe('with STRIPE_TAX', () => {
  it('names the countries in which the platform is registered', async () => {
    await complete()
    expect(await check({ hasTax: true })).toContainEqual({
      name: 'Stripe Tax',
      level: 'ok',
      text: 'is active, with registrations in DE, FR, GB',
    })
  })

  it('says what is missing while Stripe cannot calculate, and that nothing can be sold', async () => {
    await complete({ platform: { taxRates: null } })
    expect(await problems({ hasTax: true })).toEqual([
      expect.stringMatching(
        /^Stripe Tax: is pending, so Stripe refuses every checkout: complete head_office, defaults/,
      ),
    ])
    expect(await problems()).toEqual([])
  })

  it('notes that no tax is found without a registration', async () => {
    await complete({ platform: { taxRates: {} } })
    expect((await check({ hasTax: true })).at(-1)).toMatchObject({ name: 'Stripe Tax', level: 'note' })
  })
})
