import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { prepareStripe } from '@/lib/jobs/prepare-stripe'
import { openBillingPortal } from '@/lib/subscriptions/open-billing-portal'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

/** Returns the context in which a public application starts. */
const starting = (appUrl = 'https://drops.example') => ({ ...systemContext('test'), appUrl })
const configurations = async () => (await stripe().billingPortal.configurations.list()).data
const domains = async () => (await stripe().paymentMethodDomains.list()).data

beforeEach(async () => {
  const kinds = ['billing_portal.configuration', 'payment_method_domain']
  await db().sandboxObject.deleteMany({ where: { kind: { in: kinds } } })
  await db().sandboxIdempotencyKey.deleteMany({})
})

it('does nothing while payments are off', async () => {
  await prepareStripe({ ...systemContext('test'), payments: 'off' })
  expect([await configurations(), await domains()]).toEqual([[], []])
})

it('creates one portal configuration and one wallet domain, however often the application starts', async () => {
  await Promise.all([prepareStripe(starting()), prepareStripe(starting())])
  await prepareStripe(starting())
  expect(await configurations()).toMatchObject([
    {
      active: true,
      business_profile: { privacy_policy_url: 'https://drops.example/privacy-policy' },
      features: {
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: { enabled: false },
      },
    },
  ])
  expect(await domains()).toMatchObject([{ domain_name: 'drops.example', enabled: true }])
})

it('enables a disabled domain again, and registers no domain without https', async () => {
  const { id } = await stripe().paymentMethodDomains.create({ domain_name: 'drops.example', enabled: false })
  await prepareStripe(starting())
  expect(await domains()).toMatchObject([{ id, enabled: true }])
  await prepareStripe(starting('http://localhost:3000'))
  expect(await domains()).toHaveLength(1)
})

it('only warns when Stripe refuses the domain, and still configures the billing portal', async () => {
  const ctx = starting('https://nonsense_.example')
  const warn = jest.spyOn(ctx.log, 'warn')
  await prepareStripe(ctx)
  expect(warn.mock.calls.map(([, text]) => text)).toEqual([
    expect.stringMatching(/^Stripe: the domain for wallets is not set up; npm run stripe:check/),
  ])
  expect(await configurations()).toHaveLength(1)
})

it('says what STRIPE_TAX does, and that nothing can be sold while the tax settings are incomplete', async () => {
  const ctx = { ...starting(), hasStripeTax: true }
  const [info, error] = [jest.spyOn(ctx.log, 'info'), jest.spyOn(ctx.log, 'error')]
  await prepareStripe(ctx)
  expect(info.mock.calls.map(([text]) => text)).toEqual([
    expect.stringMatching(/^STRIPE_TAX is on: buyers pay on Stripe's page only/),
  ])
  const client = ctx.stripe()
  jest.spyOn(client.tax.settings, 'retrieve').mockResolvedValueOnce({ status: 'pending' } as never)
  await prepareStripe({ ...ctx, stripe: () => client })
  expect(error.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(/nothing can be sold: complete them/)])
})

it('says once that Stripe refuses the key, because nothing can be sold with it', async () => {
  const ctx = starting()
  const error = jest.spyOn(ctx.log, 'error')
  const refusal = Object.assign(new Error('Invalid API Key provided'), { type: 'StripeAuthenticationError' })
  await prepareStripe({
    ...ctx,
    stripe: () => {
      throw refusal
    },
  })
  expect(error.mock.calls).toEqual([[expect.stringMatching(/^Stripe refuses STRIPE_SECRET_KEY/)]])
})

it('creates no portal configuration when the account has a default one', async () => {
  const mine = await stripe().billingPortal.configurations.create({ features: { invoice_history: { enabled: true } } })
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: mine.id } })
  await db().sandboxObject.update({ where: { id: mine.id }, data: { json: { ...(json as object), is_default: true } } })
  await prepareStripe(starting())
  expect((await configurations()).map(({ id }) => id)).toEqual([mine.id])
})

it('a missing portal configuration is created when a seller opens the billing portal', async () => {
  const customer = await stripe().customers.create({})
  const seller = await makeSeller({ stripeCustomerId: customer.id })
  const open = () => openBillingPortal(contextFor(actorOf(seller)))
  expect(await open()).toContain('/sandbox/billing/')
  await open()
  expect(await configurations()).toHaveLength(1)
})
