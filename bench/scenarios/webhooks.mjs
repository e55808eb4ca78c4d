// Delivers Stripe's events out of order. Each event arrives up to five times, and the copies of many events arrive at
// the same moment.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { makeDrop } from './measure-purchases.mjs'

/**
 * @import { Pool } from 'pg'
 * @import { BenchDrop } from '../load.mjs'
 * @import { MoneyTools } from '../money.mjs'
 *
 * @typedef {{ drop: BenchDrop }} Gathered
 */

const BUYERS_A_ROUND = 100
const SOCKETS = 32
const DELIVERIES_AT_ONCE = 16
const MAX_DELIVERIES = 5
const TWIN_FRACTION = 0.3
/** The holder of the lease of the archive job while events are gathered and delivered (lib/jobs/with-lease.ts). */
const HOLDER = 'bench'

/**
 * Makes purchases, disputes and abandoned checkouts until there are at least `events` events, and delivers none of
 * them.
 * @param {MoneyTools} tools
 * @param {number} events
 * @returns {Promise<Gathered>}
 */
export async function gatherEvents({ load, pool, urls, app }, events) {
  await holdSweepsOff(pool)
  await pool.query(
    `CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN NEW."nextAttemptAt" := now() + interval '1 day'; RETURN NEW; END $$`,
  )
  await pool.query(
    'CREATE TRIGGER hold_back BEFORE INSERT ON "SandboxDelivery" FOR EACH ROW EXECUTE FUNCTION hold_back()',
  )
  const drop = await makeDrop(pool, 100_000)
  for (let round = 0; (await countEvents(pool)) < events; round += 1) {
    const seed = 500_000 + round * BUYERS_A_ROUND
    const { opened } = await load.ask({ kind: 'crowd', urls, drop, attempts: BUYERS_A_ROUND, sockets: SOCKETS, seed })
    const [disputed, abandoned, paid] = [opened.slice(0, 5), opened.slice(5, 10), opened.slice(10)]
    await load.ask({ kind: 'pay', pages: paid })
    await load.ask({ kind: 'pay', pages: disputed, cardNumber: '4000 0000 0000 0259' })
    for (const page of abandoned) await abandon(pool, app.url, page)
  }
  return { drop }
}

/**
 * Takes the lease of the archive job from the application, and waits until the previous lease has expired, because its
 * holder may run the job until then. The job settles payments without an event, so it would hide that the application
 * lost an event.
 * @param {Pool} pool
 */
async function holdSweepsOff(pool) {
  const { rows } = await pool.query(
    `SELECT GREATEST(0, extract(epoch FROM "expiresAt" - now()) * 1000)::float8 AS "ms" FROM "JobLease" WHERE "name" = 'archive'`,
  )
  await pool.query(
    `INSERT INTO "JobLease" ("name", "holder", "expiresAt") VALUES ('archive', $1, now() + interval '1 day')
     ON CONFLICT ("name") DO UPDATE SET "holder" = EXCLUDED."holder", "expiresAt" = EXCLUDED."expiresAt"`,
    [HOLDER],
  )
  await sleep(rows[0]?.ms ?? 0)
}

/**
 * @param {Pool} pool
 * @returns {Promise<number>}
 */
async function countEvents(pool) {
  return (await pool.query('SELECT count(*)::int AS "count" FROM "SandboxDelivery"')).rows[0].count
}

/**
 * Leaves a checkout as a buyer does with the link back on the card page.
 * @param {Pool} pool
 * @param {string} url
 * @param {string} page
 */
async function abandon(pool, url, page) {
  const { rows } = await pool.query(`SELECT "json"->>'cancel_url' AS "back" FROM "SandboxObject" WHERE "id" = $1`, [
    new URL(page).pathname.split('/').at(-1),
  ])
  const { pathname, search } = new URL(rows[0].back)
  await (await fetch(`${url}${pathname}${search}`)).arrayBuffer()
}

/**
 * Delivers all gathered events, compares the resulting orders with what the stand-in has recorded, and releases the
 * lease of the archive job.
 * @param {MoneyTools} tools
 * @param {Gathered} gathered
 */
export async function deliverAll({ load, pool, urls, app }, { drop }) {
  const secret = `whsec_${createHmac('sha256', app.authSecret).update('sandbox-webhook\0secret').digest('hex')}`
  const { rows } = await pool.query('SELECT "payload" FROM "SandboxDelivery"')
  const batches = []
  let twins = 0
  for (const { payload } of rows) {
    const signed = { payload, signature: Stripe.webhooks.generateTestHeaderString({ payload, secret }) }
    const copies = Array.from({ length: 1 + Math.floor(Math.random() * MAX_DELIVERIES) }, () => signed)
    const isAtOnce = copies.length > 1 && Math.random() < TWIN_FRACTION
    if (isAtOnce) twins += copies.length
    batches.push(...(isAtOnce ? [copies] : copies.map((copy) => [copy])))
  }
  shuffle(batches)
  const answers = await load.ask({ kind: 'deliver', urls, batches, atOnce: DELIVERIES_AT_ONCE })
  const truth = await compare(pool, drop.id, rows.length)
  await pool.query('DROP TRIGGER hold_back ON "SandboxDelivery"')
  await pool.query('DELETE FROM "JobLease" WHERE "holder" = $1', [HOLDER])
  const deliveries = batches.reduce((sum, batch) => sum + batch.length, 0)
  return { ...answers, ...truth, events: rows.length, deliveries, twins }
}

/**
 * Compares what the stand-in for Stripe has recorded with what the application has recorded.
 * @param {Pool} pool
 * @param {number} dropId
 * @param {number} events
 */
async function compare(pool, dropId, events) {
  const { rows } = await pool.query(
    `WITH paid AS (
       SELECT o."id", o."status", o."quantity" FROM "Order" o
         JOIN "SandboxObject" s ON s."id" = o."stripeSessionId" AND s."json"->>'payment_status' = 'paid'
        WHERE o."dropId" = $1)
     SELECT (SELECT count(*) FROM paid)::int AS "orders",
            (SELECT count(*) FROM paid WHERE "status" NOT IN ('paid', 'disputed'))::int AS "lost",
            (SELECT count(*) FROM "OutboxMail" m JOIN paid ON m."dedupeKey" = 'receipt:' || paid."id")::int AS "receipts",
            (SELECT "sold" FROM "Drop" WHERE "id" = $1) AS "sold",
            (SELECT "purchases" FROM "Drop" WHERE "id" = $1) AS "purchases",
            (SELECT count(*) FROM "WebhookEvent" WHERE "handledAt" IS NOT NULL)::int AS "handled",
            (SELECT count(*) FROM "SandboxObject" d WHERE d."kind" = 'dispute')::int AS "disputes",
            (SELECT count(*) FROM paid WHERE "status" = 'disputed')::int AS "disputed"`,
    [dropId],
  )
  const { orders, lost, receipts, sold, purchases, handled, disputes, disputed } = rows[0]
  const doubled = Math.abs(receipts - orders) + Math.abs(sold - orders) + Math.abs(purchases - orders)
  return { orders, lost: lost + Math.abs(disputes - disputed), doubled, unhandled: events - handled }
}

/**
 * @template Item
 * @param {Item[]} items
 */
function shuffle(items) {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const [item] = items.splice(Math.floor(Math.random() * (at + 1)), 1)
    if (item !== undefined) items.push(item)
  }
}
