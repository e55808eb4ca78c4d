// Tests correctness under load over HTTP. These tests start their own servers, which no other test uses.
import { expect, test } from '@playwright/test'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Stripe from 'stripe'
import { startApp } from '../support/start-app.mjs'
import {
  buy,
  createDrop,
  forget,
  mailTo,
  openCheckout,
  pay,
  postDrop,
  postJson,
  type Shop,
  shopAt,
  signUp,
  stockOf,
  goodFields,
  toForm,
  uniqueName,
} from '../support/e2e'
import { largePhoto } from '../support/photos'

type App = Awaited<ReturnType<typeof startApp>>

const BUYERS = 200
const UNITS = 10

test.describe.configure({ mode: 'default', timeout: 180_000 })

let app: App
let shop: Shop

test.beforeAll(async () => {
  app = await startApp({ env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
  shop = shopAt(app.url, app.databaseUrl)
})

test.afterAll(async () => {
  if (!app) return
  await forget(app.databaseUrl)
  await app.stop()
})

/**
 * Reads a drop's stock repeatedly until `stop` is called. `stop` returns the number of reads and the largest sum of
 * sold and held units.
 */
function watchStock(of: Shop, dropId: number): { stop: () => Promise<{ reads: number; most: number }> } {
  let isOver = false
  const watching = (async () => {
    const seen = { reads: 0, most: 0 }
    while (!isOver) {
      const { sold, held } = await stockOf(of, dropId)
      seen.reads += 1
      seen.most = Math.max(seen.most, sold + held)
    }
    return seen
  })()
  return {
    stop: () => {
      isOver = true
      return watching
    },
  }
}

const inParallel = <Result>(count: number, work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

type OrderCount = { paid: number; pending: number; transfers: number }

async function countOrders(of: Shop, dropId: number): Promise<OrderCount> {
  const [row] = await of.query<OrderCount>(
    `SELECT count(*) FILTER (WHERE o."status" = 'paid')::int AS "paid",
            count(*) FILTER (WHERE o."status" = 'pending')::int AS "pending", count(t."id")::int AS "transfers"
       FROM "Order" o LEFT JOIN "Transfer" t ON t."orderId" = o."id" WHERE o."dropId" = $1`,
    [dropId],
  )
  return row!
}

/** Lets 200 buyers order one of 10 units at the same moment, spread over servers that use the same database. */
async function rush(shops: Shop[], name: string): Promise<void> {
  const [first] = shops
  const seller = await signUp(first!)
  const drop = await createDrop(first!, seller, { quantity: String(UNITS) })
  const watch = watchStock(first!, drop.id)
  const startedAt = performance.now()
  const answers = await inParallel(BUYERS, (at) => openCheckout(shops[at % shops.length]!, drop.id))
  const seconds = (performance.now() - startedAt) / 1000

  const winners = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status !== 200)
  expect(winners).toHaveLength(UNITS)
  expect(new Set(winners.map((answer) => answer.body.url)).size).toBe(UNITS)
  for (const { status, body } of refused) {
    expect(status).toBe(409)
    expect(['ALL_IN_CHECKOUT', 'SOLD_OUT']).toContain(body.code)
    expect(body.error).toMatch(/^(Every remaining unit is in someone's checkout\.|Sold out\.)/)
  }
  expect(await stockOf(first!, drop.id)).toEqual({ quantity: UNITS, sold: 0, held: UNITS })

  const emails = winners.map(() => `${uniqueName('rush')}@example.com`)
  const paid = await Promise.all(winners.map(({ body }, at) => pay(body.url!, emails[at]!)))
  expect(paid.map(({ status }) => status)).toEqual(winners.map(() => 303))
  await expect
    .poll(() => countOrders(first!, drop.id), { timeout: 20_000 })
    .toEqual({ paid: UNITS, pending: 0, transfers: UNITS })
  expect(await stockOf(first!, drop.id)).toEqual({ quantity: UNITS, sold: UNITS, held: 0 })
  for (const email of emails) expect(await mailTo(first!, email)).toHaveLength(1)
  const late = await openCheckout(shops.at(-1)!, drop.id)
  expect(late).toMatchObject({ status: 409, body: { code: 'SOLD_OUT' } })

  const { reads, most } = await watch.stop()
  expect(reads).toBeGreaterThan(10)
  expect(most).toBe(UNITS)
  const counts = `${winners.length} paid, ${refused.length} refused`
  const stock = `sold + held at most ${most} of ${UNITS} in ${reads} reads`
  console.log(`${BUYERS} simultaneous buyers, ${name}: ${counts}, ${stock}, all answered in ${seconds.toFixed(1)} s`)
}

/** Checks that the units of buyers who never pay are sold to the next buyers, and that no unit is sold twice. */
async function letHoldsExpire(shops: Shop[]): Promise<void> {
  const [first] = shops
  const drop = await createDrop(first!, await signUp(first!), { quantity: String(UNITS) })
  const crowd = (buyers: number) => inParallel(buyers, (at) => openCheckout(shops[at % shops.length]!, drop.id))
  const winners = (await crowd(BUYERS)).filter(({ status }) => status === 200)
  expect(winners).toHaveLength(UNITS)
  const [paying, unpaid] = [winners.slice(0, 6), winners.slice(6)]
  await Promise.all(paying.map(({ body }) => pay(body.url!, 'early@example.com')))
  await expect.poll(() => stockOf(first!, drop.id)).toEqual({ quantity: UNITS, sold: 6, held: 4 })

  await first!.query(
    `UPDATE "Hold" SET "expiresAt" = now() - interval '1 second' WHERE "dropId" = $1 AND "state" = 'held'`,
    [drop.id],
  )
  await fetch(`${first!.url}/api/cron/archive`, { headers: { authorization: `Bearer ${app.cronSecret}` } })
  await expect.poll(() => stockOf(first!, drop.id)).toEqual({ quantity: UNITS, sold: 6, held: 0 })
  const late = await Promise.all(unpaid.map(({ body }) => pay(body.url!, 'late@example.com')))
  expect(late.map(({ status }) => status)).toEqual(unpaid.map(() => 410))
  const next = (await crowd(BUYERS / 4)).filter(({ status }) => status === 200)
  expect(next).toHaveLength(unpaid.length)
  await Promise.all(next.map(({ body }) => pay(body.url!, 'next@example.com')))
  await expect
    .poll(() => countOrders(first!, drop.id), { timeout: 20_000 })
    .toEqual({ paid: UNITS, pending: 0, transfers: UNITS })
  expect(await stockOf(first!, drop.id)).toEqual({ quantity: UNITS, sold: UNITS, held: 0 })
}

test('one server sells 10 units to 200 simultaneous buyers, and no unit twice', async () => {
  await rush([shop], 'one server')
})

test('two servers on one database sell 10 units to 200 simultaneous buyers, and no unit twice', async () => {
  const { databaseUrl, authSecret, cronSecret } = app
  const second = await startApp({
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: authSecret,
      CRON_SECRET: cronSecret,
      SEED_DEMO: '0',
      LOG_LEVEL: 'error',
    },
  })
  try {
    const shops = [shop, shopAt(second.url, databaseUrl)]
    await rush(shops, 'two servers')
    await letHoldsExpire(shops)
  } finally {
    await second.stop()
  }
})

/** Delays the webhooks of the stand-in for Stripe until `unblockWebhooks` is called. */
async function blockWebhooks(): Promise<void> {
  await shop.query(
    `CREATE OR REPLACE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN NEW."nextAttemptAt" := now() + interval '1 hour'; RETURN NEW; END $$`,
  )
  await shop.query(
    `CREATE OR REPLACE TRIGGER hold_back BEFORE INSERT ON "SandboxDelivery" FOR EACH ROW EXECUTE FUNCTION hold_back()`,
  )
}

async function unblockWebhooks(): Promise<void> {
  await shop.query('DROP TRIGGER IF EXISTS hold_back ON "SandboxDelivery"')
  await shop.query(`UPDATE "SandboxDelivery" SET "nextAttemptAt" = now() WHERE "deliveredAt" IS NULL`)
}

/** Returns the signature header of a payload, made with the sandbox's webhook secret as in lib/infra/stripe.ts. */
function signed(payload: string): Record<string, string> {
  const secret = `whsec_${createHmac('sha256', app.authSecret).update('sandbox-webhook\0secret').digest('hex')}`
  return { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }) }
}

async function paidEvent(sessionId: string): Promise<string> {
  const [row] = await shop.query<{ payload: string }>(
    `SELECT "payload" FROM "SandboxDelivery" WHERE "payload"::jsonb ->> 'type' = 'checkout.session.completed'
        AND "payload"::jsonb #>> '{data,object,id}' = $1`,
    [sessionId],
  )
  return row!.payload
}

test('a paid event that arrives a hundred times causes one order, one stock change and one email to each side', async () => {
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller, { quantity: '5' })
  const email = `${uniqueName('twice')}@example.com`
  await blockWebhooks()
  try {
    const { body } = await openCheckout(shop, drop.id)
    const { sessionId } = await pay(body.url!, email)
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 5, sold: 0, held: 1 })
    const payload = await paidEvent(sessionId!)
    const send = () => postJson(`${app.url}/api/webhooks/stripe`, payload, signed(payload))
    const expectOnce = async () => {
      expect(await stockOf(shop, drop.id)).toEqual({ quantity: 5, sold: 1, held: 0 })
      expect(await countOrders(shop, drop.id)).toEqual({ paid: 1, pending: 0, transfers: 1 })
      expect((await mailTo(shop, email)).map((mail) => mail.subject)).toEqual([`Your order: ${drop.title}`])
      const notices = (await mailTo(shop, seller.email)).filter(({ subject }) => subject.startsWith('Sold'))
      expect(notices.map((mail) => mail.subject)).toEqual([`Sold: ${drop.title}`])
    }

    const first = await inParallel(50, send)
    expect(first.map((answer) => answer.status)).toEqual(first.map(() => 200))
    await expectOnce()
    const second = await inParallel(50, send)
    expect(second.map((answer) => answer.status)).toEqual(second.map(() => 200))
    await expectOnce()
    const { id } = JSON.parse(payload) as { id: string }
    const events = await shop.query('SELECT "handledAt" FROM "WebhookEvent" WHERE "id" = $1', [id])
    expect(events).toEqual([{ handledAt: expect.any(Date) }])
    console.log(
      'The same paid event, 50 times in parallel and again 50 times: 1 order, 1 stock change, 1 email to each side',
    )
  } finally {
    await unblockWebhooks()
  }
})

const archive = (authorization: string) => fetch(`${app.url}/api/cron/archive`, { headers: { authorization } })

test('the scheduled call is refused without its secret', async () => {
  for (const authorization of ['', 'Bearer wrong', `Basic ${app.cronSecret}`]) {
    expect((await archive(authorization)).status).toBe(401)
  }
})

test('the units of expired holds go back on sale', async () => {
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller, { quantity: '1' })
  const { body } = await openCheckout(shop, drop.id)
  expect(await openCheckout(shop, drop.id)).toMatchObject({ status: 409, body: { code: 'ALL_IN_CHECKOUT' } })
  await shop.query(`UPDATE "Hold" SET "expiresAt" = now() - interval '1 second' WHERE "dropId" = $1`, [drop.id])

  const answer = await archive(`Bearer ${app.cronSecret}`)
  expect(answer.status).toBe(200)
  // The numbers are zero if the built-in scheduler was faster.
  const numbers = { archived: expect.any(Number), renewed: expect.any(Number), released: expect.any(Number) }
  expect(await answer.json()).toEqual(numbers)
  expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 0, held: 0 })
  expect((await fetch(body.url!)).status).toBe(410)
  expect((await pay(body.url!, 'late@example.com')).status).toBe(410)
  await buy(shop, drop.id)
  expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 1, held: 0 })
})

test('ten simultaneous uploads of five 10 MB photos need less than 300 MB of additional memory', async () => {
  test.skip(process.platform !== 'linux', 'The memory of a process is read from /proc.')
  // Fifty photos are encoded one after the other, which takes minutes on a busy machine.
  test.setTimeout(480_000)
  const photo = await largePhoto()
  const sellers = await inParallel(10, () => signUp(shop))
  // The first upload loads the libraries, whose memory must not be counted.
  await createDrop(shop, await signUp(shop))
  const residentMegabytes = () =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = residentMegabytes()
  let most = before
  const sampler = setInterval(() => (most = Math.max(most, residentMegabytes())), 20)
  const startedAt = performance.now()
  try {
    const pictures = Array.from({ length: 5 }, (_, at) => ({ ...photo, name: `IMG_${at}.jpg` }))
    const answers = await Promise.all(
      sellers.map(async (seller) => (await postDrop(shop, seller, toForm(goodFields(), pictures))).status),
    )
    expect(answers).toEqual(sellers.map(() => 201))
  } finally {
    clearInterval(sampler)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const size = `5 photos of ${(photo.buffer.length / 1_048_576).toFixed(1)} MB, 10 simultaneous uploads`
  const figures = `RSS ${before.toFixed(0)} MB, at most ${most.toFixed(0)} MB: + ${(most - before).toFixed(0)} MB`
  console.log(`${size}: ${figures}, in ${seconds.toFixed(1)} s`)
  expect(most - before).toBeLessThan(300)
})

// This test must be the last one, because it kills the server.
test('after a kill -9 between payment and webhook, the restarted server records the order exactly once', async () => {
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller, { quantity: '2' })
  const email = `${uniqueName('killed')}@example.com`
  await blockWebhooks()
  const { body } = await openCheckout(shop, drop.id)
  const { status } = await pay(body.url!, email)
  // No server runs the sweep until this lease is removed, so the order is still pending after the restart.
  await shop.query(
    `INSERT INTO "JobLease" ("name", "holder", "expiresAt") VALUES ('archive', 'test', now() + interval '10 minutes')
     ON CONFLICT ("name") DO UPDATE SET "holder" = 'test', "expiresAt" = now() + interval '10 minutes'`,
  )
  const killed = app.kill()
  expect(status).toBe(303)
  await killed
  await forget(app.databaseUrl)

  const { dataDir } = app
  const restartedAt = performance.now()
  const again = await startApp({ dataDir, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
  const upAfter = (performance.now() - restartedAt) / 1000
  shop = shopAt(again.url, again.databaseUrl)
  try {
    expect(await countOrders(shop, drop.id)).toEqual({ paid: 0, pending: 1, transfers: 0 })
    await shop.query(`DELETE FROM "JobLease" WHERE "name" = 'archive'`)
    // The webhook is still delayed, so the server finds the payment in its own sweep.
    await expect
      .poll(() => countOrders(shop, drop.id), { timeout: 60_000 })
      .toEqual({ paid: 1, pending: 0, transfers: 1 })
    const seconds = (performance.now() - restartedAt) / 1000
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 2, sold: 1, held: 0 })
    // The late webhook must not change anything a second time.
    await unblockWebhooks()
    const waiting = () => shop.query('SELECT "id" FROM "SandboxDelivery" WHERE "deliveredAt" IS NULL')
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
    expect(await countOrders(shop, drop.id)).toEqual({ paid: 1, pending: 0, transfers: 1 })
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 2, sold: 1, held: 0 })
    expect((await mailTo(shop, email)).map((mail) => mail.subject)).toEqual([`Your order: ${drop.title}`])
    console.log(
      `kill -9 between payment and webhook: up again after ${upAfter.toFixed(1)} s, ` +
        `the order is recorded once, after ${seconds.toFixed(1)} s`,
    )
  } finally {
    await forget(again.databaseUrl)
    await again.stop()
  }
})
