// npm run bench:growth measures what a growing database does to the paths that everyone uses: the page of a drop, a
// hold, a settled purchase, the seller's lists, the administrator's searches, and the archive. It runs with a thousand
// users, a thousand drops and three thousand orders, and with a thousand times as many, each in a separate database.
// BENCH_SCALE=0.1 makes the large database a tenth of that size. The exit code is 1 when a figure grows too much.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findFreePort } from '../scripts/ports.mjs'
import { startStripe, stripeEnvironment } from '../tests/support/start-stripe.mjs'
import { fillDatabase, sizesToCompare } from './fill-database.mjs'
import { figure, formatTable } from './format-table.mjs'
import { logInAsAdmin } from './log-in-as-admin.mjs'
import { percentile } from './percentile.mjs'
import { findPostgres, startLoad } from './processes.mjs'
import { measureFirstRenderings } from './scenarios/measure-first-renderings.mjs'
import { measureOurPurchases } from './scenarios/measure-purchases.mjs'
import { startSeeded } from './start-seeded.mjs'

/**
 * @import { App } from '../tests/support/start-app.mjs'
 * @import { Size } from './fill-database.mjs'
 * @import { Stoppable } from './processes.mjs'
 */

const ROUNDS = 15
/** How much a figure may grow from the small database to the large one. */
const LIMIT_RATIO = 1.5
const ARCHIVED_DROPS = 1_000
/** The orders and past drops of the seller whose lists are measured, in both databases. */
const SELLERS_ORDERS = 300
const SELLERS_DROPS = 100

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const ADMIN = { email: 'bench@lastcall.example', password: 'bench-the-growing-shop' }

const columns = []
for (const size of sizesToCompare(Number(process.env.BENCH_SCALE ?? 1))) columns.push(await measure(size))
const [smallest = new Map(), largest = new Map()] = columns
const rows = [...smallest].map(([name, small]) => {
  const large = largest.get(name) ?? NaN
  const verdict = large <= LIMIT_RATIO * small ? 'holds' : 'MISSED'
  return [name, figure(small), figure(large), `${figure(large / small)}×`, verdict]
})
console.log(formatTable(['ms', 'thousand', 'full', 'ratio', `≤ ${LIMIT_RATIO}×`], rows))
if (rows.some((row) => row.at(-1) === 'MISSED')) process.exitCode = 1

/**
 * @param {Size} size
 * @returns {Promise<Map<string, number>>} each figure in ms
 */
async function measure(size) {
  /** @type {Stoppable[]} */
  const started = []
  try {
    const stripePort = await findFreePort()
    const env = {
      TRUSTED_PROXY_HOPS: '1',
      LOG_LEVEL: 'error',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...stripeEnvironment(stripePort),
      STRIPE_SESSIONS_PER_SECOND: '0',
    }
    const server = await startSeeded(env, started)
    const filling = performance.now()
    await fillDatabase({ databaseUrl: server.databaseUrl, ...size })
    console.log(`${JSON.stringify(size)} filled in ${figure((performance.now() - filling) / 1000)} s`)
    const app = { url: `http://127.0.0.1:${new URL(server.url).port}`, pid: server.pid }
    const options = { databaseUrl: server.databaseUrl, appUrl: app.url, port: stripePort, isDurable: false }
    const stripe = await startStripe(options)
    started.push(stripe)
    const load = startLoad()
    started.push(load)
    const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2 })
    pool.on('error', () => {})
    started.push({ stop: () => pool.end() })
    const calls = await measureCalls(app.url, pool)
    const { hold, ours } = await measureOurPurchases({
      load,
      app,
      pool,
      stripe,
      postgresPid: findPostgres(server.dataDir),
    })
    const rendered = await measureFirstRenderings({ app, pool })
    return new Map([
      ['drop page, first rendering after a change', rendered.p50],
      ["hold, one buyer, without Stripe's time", hold.besideStripeMs],
      ['hold, 64 buyers: CPU of the application', hold.cpuUs / 1000],
      ['hold, 64 buyers: CPU of Postgres', hold.postgresUs / 1000],
      ['settled purchase, 64 buyers: CPU of the application', ours.cpuUs / 1000],
      ['settled purchase, 64 buyers: CPU of Postgres', ours.postgresUs / 1000],
      ['settled purchase, 64 buyers: time between two', 1000 / ours.perSecond],
      ...calls,
      [`archive of ${ARCHIVED_DROPS} drops`, await measureArchive(server, pool)],
    ])
  } finally {
    for (const { stop } of started.reverse()) await stop()
  }
}

/**
 * Measures the pages and calls that list rows: those of one seller, and those of an administrator.
 * @param {string} url
 * @param {pg.Pool} pool
 * @returns {Promise<[name: string, ms: number][]>} medians
 */
async function measureCalls(url, pool) {
  const cookie = await logInAsAdmin(url, ADMIN)
  // With keys of Stripe, the panel is closed to administrators without a second factor. The session already exists.
  await pool.query(
    `INSERT INTO "TotpCredential" ("userId", "secretEncrypted", "confirmedAt")
     SELECT "id", 'bench', now() FROM "User" WHERE "email" = $1`,
    [ADMIN.email],
  )
  await giveOrders(pool)
  const { rows } = await pool.query(`SELECT "title" FROM "Drop" WHERE "title" LIKE 'Vase %' ORDER BY "id" LIMIT 1`)
  /** @type {Record<string, string>} */
  const calls = {
    "seller's dashboard, polled": '/api/drops/user',
    "seller's orders": '/orders',
    "seller's orders of one buyer": '/orders?q=buyer7@example.com',
    "administrator's search for a user": '/api/admin/users?q=buyer',
    "administrator's search for a drop": `/api/admin/drops?q=${encodeURIComponent(rows[0].title)}`,
    "administrator's search for a buyer's orders": '/admin/orders?q=buyer7@example.com',
  }
  /** @type {[string, number][]} */
  const medians = []
  for (const [name, call] of Object.entries(calls)) {
    const times = []
    // The first round is not counted, because no cache holds anything yet.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const startedAt = performance.now()
      const answer = await fetch(url + call, { headers: { cookie } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${call} returned status ${answer.status}: ${text.slice(0, 200)}`)
      if (round > 0) times.push(performance.now() - startedAt)
    }
    medians.push([name, percentile(times, 0.5)])
  }
  return medians
}

/**
 * Gives the administrator some of the filled drops that have ended, with their orders, so that the lists of a seller
 * have the same length in both databases.
 * @param {pg.Pool} pool
 */
async function giveOrders(pool) {
  await pool.query(
    `WITH seller AS (
       SELECT "id" FROM "User" WHERE "email" = $1
     ), given AS (
       UPDATE "Drop" d SET "userId" = seller."id" FROM seller
        WHERE d."id" IN (SELECT "id" FROM "Drop" WHERE "archivedAt" IS NOT NULL AND "description" = 'A thing.'
                          ORDER BY "id" LIMIT $2)
       RETURNING d."id"
     )
     UPDATE "Order" o SET "sellerId" = seller."id" FROM seller, given WHERE o."dropId" = given."id"`,
    [ADMIN.email, SELLERS_DROPS],
  )
  const { rows } = await pool.query(
    `SELECT count(*)::int AS "orders" FROM "Order" WHERE "sellerId" = (SELECT "id" FROM "User" WHERE "email" = $1)`,
    [ADMIN.email],
  )
  if (rows[0].orders !== SELLERS_ORDERS) throw new Error(`The seller has ${rows[0].orders} orders`)
}

/**
 * Measures one call of the archive when running drops have just ended. The small database has fewer than a thousand
 * running drops, so the duration is that of each drop, multiplied.
 * @param {App} server
 * @param {pg.Pool} pool
 * @returns {Promise<number>} in ms
 */
async function measureArchive(server, pool) {
  const { rows } = await pool.query(
    `WITH ended AS (
       SELECT "id" FROM "Drop" WHERE "archivedAt" IS NULL AND "endTime" > now() AND "description" = 'A thing.' ORDER BY "id" LIMIT $1
     )
     UPDATE "Drop" d SET "endTime" = now(), "startedAt" = now() - make_interval(hours => "duration") FROM ended
      WHERE d."id" = ended."id" RETURNING d."id"`,
    [ARCHIVED_DROPS],
  )
  const startedAt = performance.now()
  const answer = await fetch(`${server.url}/api/cron/archive`, {
    headers: { authorization: `Bearer ${server.cronSecret}` },
  })
  const elapsedMs = performance.now() - startedAt
  if (!answer.ok) throw new Error(`The archive returned status ${answer.status}: ${await answer.text()}`)
  const left = await pool.query('SELECT 1 FROM "Drop" WHERE "archivedAt" IS NULL AND "id" = ANY($1)', [
    rows.map(({ id }) => id),
  ])
  if (left.rows.length > 0) throw new Error(`${left.rows.length} drops were not archived`)
  return (elapsedMs / rows.length) * ARCHIVED_DROPS
}
