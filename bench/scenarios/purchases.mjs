// A crowd buys one drop: each buyer takes a hold and pays through the public API, and the signed webhook settles the order.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, cpuOfTree } from '../processes.mjs'

/**
 * @import { Pool } from 'pg'
 * @import { BenchDrop } from '../load.mjs'
 * @import { BenchTools } from '../run.mjs'
 */

const CONNECTIONS = 64
const SECONDS = 6
const SETTLE_MS = 45_000
const LOOK_EVERY_MS = 10

/**
 * Measures purchases per second: until the last paid order is settled, not only until the last buyer has an answer.
 * @param {BenchTools} tools
 */
export async function measurePurchases({ load, app, reference, pool, postgresPid }) {
  const drop = await makeDrop(pool, 1_000_000)
  // A warm-up: both sides then have prepared statements, compiled routes and open connections.
  await load.ask({ kind: 'buy', url: app.url, drop, connections: CONNECTIONS, seconds: 1, seed: 1 })
  const { settledAt: isWarm } = await waitUntilSettled(pool, drop.id)
  if (!isWarm) throw new Error('The purchases of the warm-up were not settled.')
  await load.ask({ kind: 'buy', url: reference.url, drop, connections: CONNECTIONS, seconds: 1, seed: 1 })

  const hot = await makeDrop(pool, 1_000_000)
  const before = { cpu: cpuOf(app.pid), postgres: cpuOfTree(postgresPid), at: Date.now() }
  const bought = await load.ask({
    kind: 'buy',
    url: app.url,
    drop: hot,
    connections: CONNECTIONS,
    seconds: SECONDS,
    seed: 100_000,
  })
  const { settledAt, paid } = await waitUntilSettled(pool, hot.id)
  const cpuUs = (cpuOf(app.pid) - before.cpu) / paid
  const postgresUs = (cpuOfTree(postgresPid) - before.postgres) / paid
  const settled = await queryOne(
    pool,
    `SELECT extract(epoch FROM percentile_cont(0.99) WITHIN GROUP (ORDER BY "paidAt" - "createdAt")) * 1000 AS "p99"
       FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL`,
    [hot.id],
  )

  const plain = await load.ask({
    kind: 'buy',
    url: reference.url,
    drop: hot,
    connections: CONNECTIONS,
    seconds: SECONDS / 2,
    seed: 200_000,
  })
  return {
    app: {
      perSecond: settledAt ? paid / ((settledAt - before.at) / 1000) : NaN,
      p50: bought.p50,
      p99: bought.p99,
      cpuUs,
      postgresUs,
      errors: bought.errors,
      generatorBusy: bought.generatorBusy,
    },
    reference: { ...plain, perSecond: plain.count / (plain.elapsedMs / 1000) },
    answered: bought.count,
    paid,
    settleP99: Number(settled.p99),
  }
}

/**
 * Lets 200 buyers buy ten units at the same moment.
 * @param {BenchTools} tools
 * @param {{ buyers?: number, units?: number }} [options]
 */
export async function race({ load, app, pool }, { buyers = 200, units = 10 } = {}) {
  const drop = await makeDrop(pool, units)
  const outcome = load.ask({ kind: 'race', url: app.url, drop, buyers, seed: 300_000 })
  let soldOutAt = NaN
  const deadline = Date.now() + SETTLE_MS
  // The database is asked while buyers are still waiting: the orders may be settled before the last refusal is answered.
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
 * Makes a live drop like the demo's drop `low-sun`, with another quantity.
 * @param {Pool} pool
 * @param {number} quantity
 * @returns {Promise<BenchDrop>}
 */
export async function makeDrop(pool, quantity) {
  // A seller's number of running drops is limited, and the invariants check that. An administrator's is not.
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
       RETURNING "id", "productType", "quantity", "startedAt", "endTime"
     ), run AS (
       INSERT INTO "DropRun" ("dropId", "run", "quantity", "startedAt", "endTime")
       SELECT "id", 1, "quantity", "startedAt", "endTime" FROM made
     )
     SELECT "id", "productType" FROM made`,
    [`d${randomBytes(6).toString('hex')}`, quantity],
  )
  if (rows.length === 0) throw new Error('The demo drop low-sun is not there.')
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
    // Not more often, because the query itself takes time on the machine that is measured.
    await sleep(100)
  }
}

/**
 * @param {Pool} pool
 * @param {string} text
 * @param {unknown[]} values
 */
const queryOne = async (pool, text, values) => (await pool.query(text, values)).rows[0]
