// A crowd buys one drop. Each buyer takes a hold through the public API and pays on the card page of the stand-in for
// Stripe, and the signed webhook settles the order.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.mjs'
import { cpuOf, cpuOfTree, startHelper } from '../processes.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { startStripe } from '../../tests/support/start-stripe.mjs'

/**
 * @import { Pool } from 'pg'
 * @import { BenchDrop } from '../load.mjs'
 * @import { BenchTools } from '../run.mjs'
 *
 * @typedef {{ appUsPerMs: number, postgresUsPerMs: number }} Idle
 * @typedef {Pick<BenchTools, 'load' | 'app' | 'pool' | 'stripe' | 'postgresPid'>} BuyingTools
 */

const CONNECTIONS = 64
const SECONDS = 6
const SETTLE_MS = 45_000
const LOOK_EVERY_MS = 10

/** The first number of the buyers who only take holds. */
const HOLD_SEED = 50_000
const HOLD_SECONDS = 3
const HOLD_ALONE_SECONDS = 10
const IDLE_MS = 5_000
/** The references run no jobs, so they use no CPU time while idle. */
const NOTHING = { appUsPerMs: 0, postgresUsPerMs: 0 }

/**
 * Measures purchases per second. The time ends when the last paid order is settled, not when the last buyer gets a
 * response. Both references are measured in the same run, one after the other.
 * @param {BenchTools} tools
 */
export async function measurePurchases(tools) {
  const { load, reference, nextReference, pool } = tools
  const warm = await makeDrop(pool, 1_000_000)
  // The warm-up gives both references prepared statements, compiled routes and open connections.
  for (const { url } of [reference, nextReference]) {
    await load.ask({ kind: 'buy', url, drop: warm, connections: CONNECTIONS, seconds: 2, seed: 1 })
  }
  const { hold, ours, drop } = await measureOurPurchases(tools)
  const buying = { drop, connections: CONNECTIONS, seconds: SECONDS / 2, seed: 200_000 }
  const plain = await measureCpu(tools, reference.pid, NOTHING, () =>
    load.ask({ kind: 'buy', url: reference.url, ...buying }),
  )
  const next = await measureCpu(tools, nextReference.pid, NOTHING, () =>
    load.ask({ kind: 'buy', url: nextReference.url, ...buying }),
  )
  const asking = await measureNextWithStripe(tools, drop)
  return {
    hold,
    ours,
    plain,
    next,
    asking,
    waitP50: percentile(ours.waits, 0.5),
    waitP99: percentile(ours.waits, 0.99),
  }
}

/**
 * Measures holds, and purchases of one hot drop, of the application alone.
 * @param {BuyingTools} tools
 */
export async function measureOurPurchases(tools) {
  const { load, app, pool } = tools
  const first = await makeDrop(pool, 1_000_000)
  // The warm-up gives the application prepared statements, compiled routes and open connections.
  const crowd = { url: app.url, connections: CONNECTIONS }
  const warm = await load.ask({ kind: 'buy', ...crowd, drop: first, seconds: 2, seed: 1 })
  await waitUntilPaid(pool, warm.paid)
  const idle = await measureIdle(tools)
  const hold = await measureHolds(tools, idle)
  const drop = await makeDrop(pool, 1_000_000)
  const ours = await measureCpu(tools, app.pid, idle, async () => {
    const startedAt = Date.now()
    const bought = await load.ask({ kind: 'buy', ...crowd, drop, seconds: SECONDS, seed: 100_000 })
    const waits = await waitUntilPaid(pool, bought.paid)
    const elapsedMs = Date.now() - startedAt
    return { ...bought, count: waits.length, elapsedMs, waits }
  })
  return { hold, ours, drop }
}

/**
 * Measures Next's route handlers with single statements that call the stand-in for Stripe as the application does: once
 * to open a session, and once from the webhook. The other references call nobody, so this one shows which part of the
 * application's time belongs to Stripe's SDK, the webhooks and the processor time of the stand-in.
 * @param {BenchTools} tools
 * @param {BenchDrop} drop
 */
async function measureNextWithStripe(tools, drop) {
  const { load, pool, databaseUrl } = tools
  const [stripePort, port] = [await findFreePort(), await findFreePort()]
  const url = `http://127.0.0.1:${port}`
  const stripe = await startStripe({ databaseUrl, appUrl: url, port: stripePort, isDurable: false })
  const helper = startHelper('next-reference-server.mjs')
  try {
    await helper.ask({ databaseUrl, port, stripe: stripe.environment })
    const crowd = { url, drop, connections: CONNECTIONS }
    const { last } = await queryOne(pool, `SELECT COALESCE(max("id"), 0)::int AS "last" FROM "bench"."NextOrder"`, [])
    const warm = await load.ask({ kind: 'buy', ...crowd, seconds: 2, seed: 1 })
    await waitUntilCount(pool, last, warm.paid.length)
    const seconds = SECONDS / 2
    return await measureCpu({ ...tools, stripe }, helper.pid, NOTHING, async () => {
      const startedAt = Date.now()
      const bought = await load.ask({ kind: 'buy', ...crowd, seconds, seed: 200_000 })
      await waitUntilCount(pool, last, warm.paid.length + bought.paid.length)
      return { ...bought, count: bought.paid.length, elapsedMs: Date.now() - startedAt }
    })
  } finally {
    await helper.stop()
    await stripe.stop()
  }
}

/**
 * Waits until the reference that calls Stripe has settled this number of orders.
 * @param {Pool} pool
 * @param {number} after the number of the last order that does not count
 * @param {number} count
 */
async function waitUntilCount(pool, after, count) {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const { paid } = await queryOne(
      pool,
      `SELECT count(*)::int AS "paid" FROM "bench"."NextOrder" WHERE "paidAt" IS NOT NULL AND "id" > $1`,
      [after],
    )
    if (paid >= count) return
    if (Date.now() > deadline) throw new Error(`Only ${paid} of ${count} payments of the reference became an order.`)
    await sleep(100)
  }
}

/**
 * Measures holds. Their duration is measured with one buyer, who opens checkouts one after the other. Their CPU time is
 * measured with many buyers, because the jobs that run every second then hardly count. `besideStripeMs` is the mean
 * duration of a hold without the mean time that Stripe took to open its session. Both means are of the same holds:
 * medians would not subtract, because Stripe's delay differs by 90 ms from call to call.
 * @param {BuyingTools} tools
 * @param {Idle} idle
 */
async function measureHolds(tools, idle) {
  const { load, app, stripe, pool } = tools
  const drop = await makeDrop(pool, 1_000_000)
  const before = await stripe.figures()
  const alone = await load.ask({
    kind: 'hold',
    url: app.url,
    drop,
    seconds: HOLD_ALONE_SECONDS,
    connections: 1,
    seed: HOLD_SEED,
  })
  const after = await stripe.figures()
  const stripeMs = (after.openingMs - before.openingMs) / (after.opened - before.opened)
  const many = await measureCpu(tools, app.pid, idle, () =>
    load.ask({
      kind: 'hold',
      url: app.url,
      drop,
      seconds: HOLD_SECONDS,
      connections: CONNECTIONS,
      seed: 2 * HOLD_SEED,
    }),
  )
  return { ...many, besideStripeMs: alone.mean - stripeMs }
}

/**
 * Measures the CPU time that the application and Postgres use while nobody buys, because of the jobs that run every
 * second. On a busy machine few purchases fit into a second, so most of the measured CPU time would otherwise be that
 * of the jobs.
 * @param {BuyingTools} tools
 * @returns {Promise<Idle>}
 */
async function measureIdle({ app, postgresPid }) {
  const before = { app: cpuOf(app.pid), postgres: cpuOfTree(postgresPid), at: performance.now() }
  await sleep(IDLE_MS)
  const elapsedMs = performance.now() - before.at
  return {
    appUsPerMs: (cpuOf(app.pid) - before.app) / elapsedMs,
    postgresUsPerMs: (cpuOfTree(postgresPid) - before.postgres) / elapsedMs,
  }
}

/**
 * Runs `work` and adds the CPU time that each process used per hold or purchase, in µs. The CPU time that Postgres used
 * for the stand-in is left out, and so is the CPU time that the application and Postgres use when idle.
 * @template {{ count: number, elapsedMs: number }} Outcome
 * @param {BuyingTools} tools
 * @param {number} pid
 * @param {Idle} idle
 * @param {() => Promise<Outcome>} work
 */
async function measureCpu({ stripe, pool, postgresPid }, pid, idle, work) {
  const read = async () => {
    const { rows } = await pool.query(`SELECT "pid" FROM pg_stat_activity WHERE "application_name" = 'stripe'`)
    const standInUs = rows.reduce((sum, row) => sum + (cpuOf(row.pid) || 0), 0)
    return { app: cpuOf(pid), postgres: cpuOfTree(postgresPid) - standInUs, stripe: (await stripe.figures()).cpuUs }
  }
  const before = await read()
  const startedAt = performance.now()
  const outcome = await work()
  const elapsedMs = performance.now() - startedAt
  const after = await read()
  return {
    ...outcome,
    perSecond: outcome.count / (outcome.elapsedMs / 1000),
    cpuUs: (after.app - before.app - idle.appUsPerMs * elapsedMs) / outcome.count,
    postgresUs: (after.postgres - before.postgres - idle.postgresUsPerMs * elapsedMs) / outcome.count,
    stripeUs: (after.stripe - before.stripe) / outcome.count,
  }
}

/**
 * Waits until each of these payments has a paid order.
 * @param {Pool} pool
 * @param {[session: string, atMs: number][]} paid
 * @returns {Promise<number[]>} the time from each payment to its paid order, in ms
 */
export async function waitUntilPaid(pool, paid) {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const { rows } = await pool.query(
      `SELECT (extract(epoch FROM o."paidAt") * 1000 - t."at")::float8 AS "waitMs"
         FROM unnest($1::text[], $2::float8[]) AS t("session", "at")
         JOIN "Order" o ON o."stripeSessionId" = t."session" AND o."paidAt" IS NOT NULL`,
      [paid.map(([session]) => session), paid.map(([, at]) => at)],
    )
    if (rows.length === paid.length) return rows.map((row) => Math.max(0, row.waitMs))
    if (Date.now() > deadline) throw new Error(`Only ${rows.length} of ${paid.length} payments became an order.`)
    // The query does not run more often, because it takes time on the machine that is measured.
    await sleep(100)
  }
}

/**
 * Lets many buyers, 200 by default, buy a few units, ten by default, at the same moment.
 * @param {BenchTools} tools
 * @param {{ buyers?: number, units?: number }} [options]
 */
export async function race({ load, app, pool }, { buyers = 200, units = 10 } = {}) {
  const drop = await makeDrop(pool, units)
  const outcome = load.ask({ kind: 'race', url: app.url, drop, buyers, seed: 300_000 })
  let soldOutAt = NaN
  const deadline = Date.now() + SETTLE_MS
  // The database is queried while buyers are still waiting, because the orders may be settled before the last refusal
  // is answered.
  while (Number.isNaN(soldOutAt) && Date.now() < deadline) {
    const row = await queryOne(pool, 'SELECT "sold" FROM "Drop" WHERE "id" = $1', [drop.id])
    if (row.sold >= units) soldOutAt = Date.now()
    else await sleep(LOOK_EVERY_MS)
  }
  const { startedAt, endedAt, ...counts } = await outcome
  const { orders } = await queryOne(
    pool,
    `SELECT count(*)::int AS "orders" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL`,
    [drop.id],
  )
  return { buyers, units, ...counts, orders, answeredMs: endedAt - startedAt, settledMs: soldOutAt - startedAt }
}

/**
 * Makes a live drop with this quantity and otherwise like the demo's drop `low-sun`.
 * @param {Pool} pool
 * @param {number} quantity
 * @returns {Promise<BenchDrop>}
 */
export async function makeDrop(pool, quantity) {
  // The seller becomes an administrator, because the number of running drops of other sellers is limited and the
  // invariants check that limit.
  await pool.query(
    `UPDATE "User" SET "isAdmin" = true WHERE "id" = (SELECT "userId" FROM "Drop" WHERE "customSlug" = 'low-sun')`,
  )
  const { rows } = await pool.query(
    `WITH made AS (
       INSERT INTO "Drop" ("uniqueId", "userId", "title", "description", "productType", "priceCents", "quantity",
                           "duration", "startedAt", "endTime", "updatedAt")
       SELECT $1, "userId", 'Bench print', "description", "productType", "priceCents", $2, 24, now(),
              now() + interval '24 hours', now()
         FROM "Drop" WHERE "customSlug" = 'low-sun'
       RETURNING "id", "uniqueId", "productType", "quantity", "startedAt", "endTime"
     ), run AS (
       INSERT INTO "DropRun" ("dropId", "run", "quantity", "startedAt", "endTime")
       SELECT "id", 1, "quantity", "startedAt", "endTime" FROM made
     )
     SELECT "id", "uniqueId", "productType" FROM made`,
    [`d${randomBytes(6).toString('hex')}`, quantity],
  )
  if (rows.length === 0) throw new Error('The demo drop low-sun does not exist.')
  return rows[0]
}

/**
 * Waits until every session that is paid in the sandbox has a paid order.
 * @param {Pool} pool
 * @param {number} dropId
 * @returns {Promise<{ settledAt: number | null, paid: number }>} `settledAt`: null when it took too long
 */
export async function waitUntilSettled(pool, dropId) {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const at = Date.now()
    const row = await queryOne(
      pool,
      `SELECT count(*) FILTER (WHERE o."paidAt" IS NOT NULL)::int AS "paid",
              count(*) FILTER (WHERE o."paidAt" IS NULL AND s."json"->>'status' = 'complete')::int AS "waiting"
         FROM "Order" o LEFT JOIN "SandboxObject" s ON s."id" = o."stripeSessionId" WHERE o."dropId" = $1`,
      [dropId],
    )
    if (row.waiting === 0) return { settledAt: at, paid: row.paid }
    if (at > deadline) return { settledAt: null, paid: row.paid }
    // The query does not run more often, because it takes time on the machine that is measured.
    await sleep(100)
  }
}

/**
 * @param {Pool} pool
 * @param {string} text
 * @param {unknown[]} values
 */
const queryOne = async (pool, text, values) => (await pool.query(text, values)).rows[0]
