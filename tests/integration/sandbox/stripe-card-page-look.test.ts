import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ASKS_FIRST, createWorld, drop, payForm, shipped, type World } from './stripe-support'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const email = 'buyer@example.com'
const HOLD_SECONDS = 31 * 60

const heldFor = (seconds: number) => ({ metadata: { reservedUntil: String(world.nowSeconds() + seconds) } })

async function show(url: string | null) {
  const response = await world.standIn.pages(new Request(String(url)))
  return { policy: response.headers.get('content-security-policy') ?? '', html: await response.text() }
}

/** The lines of the animation that counts the minutes. */
const minutesOf = (html: string) =>
  [...(/class="minutes[^>]*>(.*?)<\/span>\s*<\/div>/s.exec(html)?.[1] ?? '').matchAll(/<span>([^<]+)<\/span>/g)].map(
    ([, text]) => text,
  )

/** The value of a property in the style that only this response has. */
function timeOf(html: string, selector: string, property: string): number {
  const rule = html.split(`\n${selector}{`).at(-1)?.split('}')[0]
  return Number(new RegExp(`${property}:(-?\\d+)`).exec(rule ?? '')?.[1])
}

it('shows how much of the fuse has burned since the hold began, and none of it when the hold ends', async () => {
  const session = await world.stripe.checkout.sessions.create({ ...drop, ...heldFor(HOLD_SECONDS) })
  world.advance(10 * 60_000)
  const { html } = await show(session.url)
  expect(timeOf(html, '.burn', 'animation-duration')).toBeCloseTo(HOLD_SECONDS, -1)
  expect(timeOf(html, '.burn', 'animation-delay')).toBeCloseTo(-600, -1)
  const lines = minutesOf(html)
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['20 min', 'less than 1 min', 'time&#39;s up'])
  expect(html).toContain('20 min, when this page opened')
  const [durationSeconds, delaySeconds] = ['animation-duration', 'animation-delay'].map((name) =>
    timeOf(html, '.minutes span', name),
  )
  expect(durationSeconds).toBe((lines.length - 1) * 60)
  expect(durationSeconds! + delaySeconds!).toBeCloseTo(21 * 60, -1)
})

it('shows an ended hold as burnt, and no fuse without a hold', async () => {
  const held = await world.stripe.checkout.sessions.create({ ...drop, ...heldFor(600) })
  world.advance(601_000)
  const { html } = await show(held.url)
  expect(minutesOf(html)).toEqual(['time&#39;s up'])
  expect(timeOf(html, '.burn', 'animation-delay')).toBe(-timeOf(html, '.burn', 'animation-duration'))
  const unusable: Record<string, string>[] = [{}, { reservedUntil: 'soon' }, { reservedUntil: '5' }]
  for (const metadata of unusable) {
    const session = await world.stripe.checkout.sessions.create({ ...drop, metadata })
    expect((await show(session.url)).html).not.toContain('class="fuse"')
  }
})

it('allows exactly its own styles, fonts and pictures, and no script', async () => {
  const session = await world.stripe.checkout.sessions.create({ ...drop, ...heldFor(HOLD_SECONDS) })
  const { policy, html } = await show(session.url)
  const hashes = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, style]) => `'sha256-${createHash('sha256').update(style!).digest('base64')}'`,
  )
  expect(hashes).toHaveLength(2)
  expect(policy).toContain(`style-src ${hashes.join(' ')};`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("font-src 'self'")
  expect(policy).not.toContain('script-src')
  const fonts = [...html.matchAll(/url\((\/fonts\/[^)]+)\)/g)].map(([, path]) => path)
  expect(fonts).toHaveLength(2)
  for (const path of fonts) expect(existsSync(`public${path}`)).toBe(true)
  expect(html).not.toMatch(/ style="/)
})

it('says that it is a test, and shows the fuse again while the bank asks the buyer to confirm', async () => {
  const session = await world.stripe.checkout.sessions.create({ ...shipped, ...heldFor(HOLD_SECONDS) })
  const { html } = await show(session.url)
  expect(html).toContain('Secure test payment. No real card is charged.')
  expect(html).toContain('$24.00 USD')
  const asked = await payForm(world.standIn, session.url, { email, cardNumber: ASKS_FIRST })
  expect(await asked.text()).toContain('class="fuse"')
})

it('says how often a plan is charged, and when it renews', async () => {
  const product = await world.stripe.products.create({ name: 'Pro' })
  const price = await world.stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 19_000,
    recurring: { interval: 'year' },
  })
  const session = await world.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost:3999/',
  })
  const { html } = await show(session.url)
  const nextYear = new Date(world.nowSeconds() * 1000)
  nextYear.setUTCFullYear(nextYear.getUTCFullYear() + 1)
  const day = nextYear.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  expect(html).toContain('$190.00 USD per year')
  expect(html).toContain(`Renews on ${day} and then every year until you cancel`)
})

it('asks for the name on the card only when it differs from the name on the parcel', async () => {
  const session = await world.stripe.checkout.sessions.create({
    ...shipped,
    phone_number_collection: { enabled: false },
  })
  const { html } = await show(session.url)
  expect(html).toMatch(/<details\s*>/)
  expect(html).not.toContain('Phone')
  const typed = { email, shippingName: 'Ada', line1: 'Hauptstr. 1', city: 'Berlin', postalCode: '10115', country: 'DE' }
  const sent = { ...typed, cardNumber: '4242424242424242', expiry: '12 / 40', cvc: '123', name: '' }
  const pay = (fields: Record<string, string>) => payForm(world.standIn, session.url, fields)
  expect(await (await pay({ ...sent, name: 'Bo', cvc: '' })).text()).toMatch(/<details\s+open/)
  expect((await pay(sent)).status).toBe(303)
  const paid = await world.stripe.checkout.sessions.retrieve(session.id)
  expect(paid.customer_details).toMatchObject({ name: 'Ada', phone: null })
})
