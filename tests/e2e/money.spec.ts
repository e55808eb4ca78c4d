// Tests both checkout modes over HTTP, on its own servers. A client cannot change a price, and Stripe is not called for
// a drop that cannot be bought. When Stripe is slow, unreachable or broken, a buyer only has to tap again.
import { expect, test } from '@playwright/test'
import { startApp } from '../support/start-app.mjs'
import {
  createDrop,
  moveEnd,
  forget,
  freshAddress,
  pay,
  postJson,
  type Shop,
  shopAt,
  signUp,
  stockOf,
} from '../support/e2e'
import { refusalOf } from '../support/refusal-of'

type App = Awaited<ReturnType<typeof startApp>>

test.describe.configure({ mode: 'default', timeout: 120_000 })

let app: App
let shop: Shop

test.beforeAll(async () => {
  app = await startApp({ env: { SEED_DEMO: '0', LOG_LEVEL: 'silent' } })
  shop = shopAt(app.url, app.databaseUrl)
})

test.afterAll(async () => {
  if (!app) return
  await forget(app.databaseUrl)
  await app.stop()
})

const UNKNOWN_DROP_ID = 2_147_483_647
const HOSTED = '/api/checkout/create-session'
const ENDPOINTS = [HOSTED, '/api/create-payment-intent'] as const

/** Requests a checkout from an endpoint. Pass the buyer's cookie in `headers` to act as a known browser. */
function startCheckout(endpoint: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return postJson(shop.url + endpoint, body, { 'x-forwarded-for': freshAddress(), ...headers })
}

/**
 * Counts the checkouts and the idempotency keys in the stand-in for Stripe. The count grows when a call opens a
 * checkout or is the first with its idempotency key.
 */
async function countAtStripe(): Promise<number> {
  const [row] = await shop.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM "SandboxObject" WHERE "kind" IN ('checkout.session', 'payment_intent'))
             + (SELECT count(*) FROM "SandboxIdempotencyKey"))::int AS "count"`,
  )
  return row!.count
}

async function makeDrop(quantity = '3') {
  const seller = await signUp(shop)
  return { seller, drop: await createDrop(shop, seller, { quantity, price: '24.00' }) }
}

test('for a drop that cannot be bought, both checkout modes return the documented error and do not call Stripe', async () => {
  const { seller, drop } = await makeDrop()
  const ended = await makeDrop()
  await moveEnd(shop, ended.drop.id, -1)
  const soldOut = await makeDrop('1')
  await shop.query('UPDATE "Drop" SET "sold" = 1 WHERE "id" = $1', [soldOut.drop.id])
  const inCheckout = await makeDrop('1')
  await shop.query('UPDATE "Drop" SET "held" = 1 WHERE "id" = $1', [inCheckout.drop.id])
  const paused = await makeDrop()
  await shop.query('UPDATE "User" SET "isSuspended" = true WHERE "id" = $1', [paused.seller.id])
  const removed = await makeDrop()
  await shop.query('UPDATE "Drop" SET "hiddenAt" = now() WHERE "id" = $1', [removed.drop.id])
  const gone = "This drop may have expired or doesn't exist."
  const cases: [dropId: number, status: number, code: string, text: string, cookie?: string][] = [
    [drop.id, 403, 'OWN_DROP', "You can't buy your own drop.", seller.cookie],
    [ended.drop.id, 409, 'DROP_ENDED', 'This drop has ended'],
    [soldOut.drop.id, 409, 'SOLD_OUT', 'Sold out. Every unit of this drop has been bought.'],
    [
      inCheckout.drop.id,
      409,
      'ALL_IN_CHECKOUT',
      "Every remaining unit is in someone's checkout. One may free up in a few minutes.",
    ],
    [paused.drop.id, 409, 'DROP_PAUSED', 'This drop is paused right now. Please try again later.'],
    [removed.drop.id, 404, 'DROP_NOT_FOUND', gone],
    [UNKNOWN_DROP_ID, 404, 'DROP_NOT_FOUND', gone],
  ]
  const before = await countAtStripe()
  for (const endpoint of ENDPOINTS) {
    for (const [dropId, status, code, text, cookie] of cases) {
      const refusal = await refusalOf(await startCheckout(endpoint, { dropId }, cookie ? { cookie } : {}))
      expect(refusal, `${endpoint} ${code}`).toMatchObject({ status, code, error: text })
    }
    await shop.query('UPDATE "PlatformSettings" SET "isActive" = false')
    try {
      await expect.poll(async () => (await startCheckout(endpoint, { dropId: UNKNOWN_DROP_ID })).status).toBe(503)
      const disabled = await startCheckout(endpoint, { dropId: drop.id })
      expect(Number(disabled.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await disabled.json()).toMatchObject({ code: 'PLATFORM_DISABLED' })
    } finally {
      await shop.query('UPDATE "PlatformSettings" SET "isActive" = true')
    }
    await expect.poll(async () => (await startCheckout(endpoint, { dropId: UNKNOWN_DROP_ID })).status).toBe(404)
  }
  expect(await countAtStripe()).toBe(before)
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 0 })
})

test('fields in the body cannot change the price, the fee, the seller or the currency', async () => {
  const { drop } = await makeDrop()
  const forgedFields = [
    { price: '0.01' },
    { priceCents: 1 },
    { amount: 1 },
    { unit_amount: 1 },
    { platformFee: 0 },
    { platformFeePercentage: 0 },
    { application_fee_amount: 0 },
    { sellerId: 1 },
    { userId: 1 },
    { currency: 'jpy' },
    { sellerPayout: 99_999 },
    { selectedVariants: { price: 1 } },
    { success_url: 'https://evil.example' },
  ]
  for (const endpoint of ENDPOINTS) {
    for (const fields of forgedFields) {
      const refusal = await refusalOf(await startCheckout(endpoint, { dropId: drop.id, ...fields }))
      expect(refusal, `${endpoint} ${JSON.stringify(fields)}`).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    }
    for (const quantity of [0, -1, 1.5, 11, '2', null, 1e309]) {
      const body = `{"dropId":${drop.id},"quantity":${JSON.stringify(quantity)}}`
      expect((await refusalOf(await startCheckout(endpoint, body))).status, `${endpoint} ${quantity}`).toBe(400)
    }
    // The first body has a member named __proto__. The others are not JSON objects.
    for (const body of [`{"dropId":${drop.id},"__proto__":{"price":1}}`, '[]', 'null', '"x"', '{', '']) {
      expect((await refusalOf(await startCheckout(endpoint, body))).status, `${endpoint} ${body}`).toBe(400)
    }
  }
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 0 })

  // A product type in the body is ignored, so this request succeeds.
  const opened = await startCheckout(HOSTED, { dropId: drop.id, productType: 'digital', quantity: 2 })
  const { url } = (await opened.json()) as { url: string }
  expect(await pay(url, 'bea@example.com')).toMatchObject({ status: 303 })
  const facts = () =>
    shop.query(
      `SELECT "status", "productType", "amountCents", "platformFeeCents", "sellerPayoutCents", "currency"
         FROM "Order" WHERE "dropId" = $1`,
      [drop.id],
    )
  const money = { amountCents: 4800, platformFeeCents: 240, sellerPayoutCents: 4560, currency: 'usd' }
  await expect.poll(facts).toEqual([{ status: 'paid', productType: 'physical', ...money }])
})

test('a guessed URL of an order is not found', async () => {
  const { drop } = await makeDrop()
  const opened = await startCheckout(HOSTED, { dropId: drop.id })
  const { url } = (await opened.json()) as { url: string }
  const unpaid = new URL(url).pathname.split('/').at(-1)!
  const [{ token }] = (await shop.query<{ token: string }>('SELECT "token" FROM "Order" WHERE "dropId" = $1', [
    drop.id,
  ])) as [{ token: string }]
  const other = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  for (const guess of [
    other,
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase(),
    'x'.repeat(43),
    'x'.repeat(10_000),
    '1',
    '%00',
  ]) {
    const answer = await fetch(`${shop.url}/o/${guess}`)
    expect(answer.status, guess.slice(0, 60)).toBe(404)
    expect(await answer.text()).not.toContain(drop.title)
  }
  for (const guess of [unpaid, `${unpaid.slice(0, -1)}_`, 'cs_test_1', 'pi_1', 'x'.repeat(10_000), '%00', '..%2f..']) {
    const refusal = await refusalOf(await fetch(`${shop.url}/api/order/${guess}`))
    expect(refusal.status, guess.slice(0, 60)).toBe(404)
    const page = await fetch(`${shop.url}/success-payment?session_id=${guess}`)
    expect(page.status).toBeLessThan(500)
    expect(await page.text()).not.toContain('Payment Successful!')
  }
})

test('invalid input to a buyer’s order page is refused, a browser is sent back to the page, and the origin null gets 403', async () => {
  const { drop } = await makeDrop()
  await startCheckout(HOSTED, { dropId: drop.id })
  const [{ token }] = (await shop.query<{ token: string }>('SELECT "token" FROM "Order" WHERE "dropId" = $1', [
    drop.id,
  ])) as [{ token: string }]
  const post = (verb: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/o/${token}/${verb}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  for (const body of [
    'about=message&text=%00',
    'about=message&about=refund&text=a',
    'about=message',
    'about=message&text=',
    'about=message&text=a&amountCents=1',
    `about=message&text=${'x'.repeat(2_001)}`,
  ]) {
    expect((await refusalOf(await post('write', body))).status, body.slice(0, 40)).toBe(400)
  }
  for (const verb of ['arrived', 'download']) {
    expect((await refusalOf(await post(verb, ''))).status, verb).toBe(verb === 'download' ? 404 : 409)
  }
  const page = { accept: 'text/html,*/*', 'sec-fetch-site': 'same-origin' }
  const refused = await post('arrived', '', page)
  expect([refused.status, refused.headers.get('location')]).toEqual([303, expect.stringContaining('problem=')])
  for (const site of ['same-origin', 'cross-site']) {
    expect((await post('arrived', '', { ...page, origin: 'null', 'sec-fetch-site': site })).status, site).toBe(403)
  }
  // Names of properties that every JavaScript object inherits must not be shown as outcomes of a form.
  for (const name of ['constructor', '__proto__', 'toString']) {
    const shown = await fetch(`${shop.url}/o/${token}?sent=${name}&problem=${name}`)
    expect(shown.status, name).toBe(200)
    expect(await shown.text(), name).not.toContain('role="status" tabindex="-1"')
  }
  expect(await (await fetch(`${shop.url}/o/${token}?sent=message`)).text()).toContain('role="status" tabindex="-1"')
})

type Fault = { kind: 'slow' | 'reset-after-commit' | 'rate-limit' | 'error'; delayMs?: number }

async function setFault(api: Fault | null): Promise<void> {
  const answer = await postJson(`${shop.url}/api/sandbox/stripe/faults`, api ? { api } : {})
  expect(answer.status).toBe(204)
}

for (const fault of [
  { kind: 'reset-after-commit' },
  { kind: 'rate-limit' },
  { kind: 'error' },
  { kind: 'slow', delayMs: 80_000 },
] as const) {
  test(`with the Stripe fault "${fault.kind}", both checkout modes return 503 with a time to retry, retries create no second object, and pages still work`, async () => {
    const { drop } = await makeDrop('2')
    const path = `/drop/${drop.identifier}`
    await (await fetch(shop.url + path)).text()
    await setFault(fault)
    // Each checkout mode has its own buyer, whom the cookie identifies.
    const buyers = ENDPOINTS.map((endpoint) => ({
      endpoint,
      cookie: `lastcall-buyer=${(endpoint + 'x'.repeat(43)).replace(/\W/g, 'x').slice(0, 43)}`,
    }))
    const startedAt = performance.now()
    const waiting = Promise.all(
      buyers.map(({ endpoint, cookie }) => startCheckout(endpoint, { dropId: drop.id }, { cookie })),
    )
    let slowest = 0
    for (let visit = 0; visit < 10; visit += 1) {
      const from = performance.now()
      for (const page of [path, `/api/drop/${drop.identifier}`, '/']) {
        expect((await fetch(shop.url + page, { cache: 'no-cache' })).status).toBe(200)
      }
      slowest = Math.max(slowest, performance.now() - from)
    }
    const answers = await waiting
    const seconds = (performance.now() - startedAt) / 1000
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await answer.json()).toMatchObject({
        code: 'STRIPE_AWAY',
        error: "Failed to start checkout. You weren't charged. Please try again.",
      })
    }
    // The fault delays each call by 80 seconds, and a call to Stripe is given up after eight.
    expect(seconds).toBeLessThan(40)
    expect(slowest).toBeLessThan(8_000)
    expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 0 })
    await setFault(null)
    // Other processes and bundles notice within half a second that the fault has ended.
    for (const { endpoint, cookie } of buyers) {
      await expect.poll(async () => (await startCheckout(endpoint, { dropId: drop.id }, { cookie })).status).toBe(200)
    }
    const made = await shop.query<{ kind: string; count: number }>(
      `SELECT "kind", count(*)::int AS "count" FROM "SandboxObject"
        WHERE "json"#>>'{metadata,dropId}' = $1 AND "kind" IN ('checkout.session', 'payment_intent') GROUP BY 1 ORDER BY 1`,
      [String(drop.id)],
    )
    expect(made).toEqual([
      { kind: 'checkout.session', count: 1 },
      { kind: 'payment_intent', count: 1 },
    ])
    expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 2 })
    console.log(
      `Stripe ${fault.kind}: 503 after ${seconds.toFixed(1)} s, three pages in ${slowest.toFixed(0)} ms at most`,
    )
  })
}

test('on a public origin without Stripe keys, both checkout modes return 503 and nothing can be bought', async () => {
  const off = await startApp({
    env: { APP_URL: 'https://shop.example', HOST: '127.0.0.1', LOG_LEVEL: 'silent', SEED_DEMO: '1' },
  })
  try {
    const open = shopAt(off.url, off.databaseUrl)
    const [drop] = await open.query<{ id: number }>(
      'SELECT "id" FROM "Drop" WHERE "isActive" AND "sold" < "quantity" LIMIT 1',
    )
    const words = 'Payment processing is not yet configured. This will be available when the platform goes live.'
    for (const endpoint of ENDPOINTS) {
      const answer = await postJson(off.url + endpoint, { dropId: drop!.id })
      expect(answer.status, endpoint).toBe(503)
      expect(await answer.json()).toMatchObject({ code: 'PAYMENTS_OFF', error: words })
    }
    const page = await (await fetch(`${off.url}/checkout/${drop!.id}`)).text()
    expect(page).toContain('Payment Not Available')
    expect(page).toContain(words)
    const webhook = await postJson(`${off.url}/api/webhooks/stripe`, {}, { 'stripe-signature': 't=1,v1=00' })
    expect(webhook.status).toBe(404)
  } finally {
    await forget(off.databaseUrl)
    await off.stop()
  }
})
