// Many more buyers than there are units buy on several servers. In the end every unit must be sold exactly once.
import { waitUntilSettled } from './measure-purchases.mjs'

/**
 * @import { Pool } from 'pg'
 * @import { BenchDrop } from '../load.mjs'
 * @import { MoneyTools } from '../money.mjs'
 */

/**
 * Lets many buyers try to buy one drop. Most of the buyers with a checkout pay, and the holds of the others expire.
 * These others then try to pay and must be refused. A second group of buyers takes the units of the expired holds.
 * @param {MoneyTools} tools
 * @param {BenchDrop} drop
 * @param {{ attempts: number, sockets: number, units: number, seed: number }} crowd `units`: how many the drop has
 */
export async function oversell({ load, pool, urls, sweep }, drop, { attempts, sockets, units, seed }) {
  const first = await load.ask({ kind: 'crowd', urls, drop, attempts, sockets, seed })
  const paying = first.opened.slice(0, Math.ceil(units * 0.6))
  const expiring = first.opened.slice(paying.length)
  const paid = await load.ask({ kind: 'pay', pages: paying })
  await waitUntilSettled(pool, drop.id)
  const afterFirst = await stockOf(pool, drop.id)

  await pool.query(
    `UPDATE "Hold" SET "expiresAt" = now() - interval '1 second' WHERE "dropId" = $1 AND "state" = 'held'`,
    [drop.id],
  )
  await sweep()
  const late = await load.ask({ kind: 'pay', pages: expiring })
  const second = await load.ask({
    kind: 'crowd',
    urls,
    drop,
    attempts: Math.ceil(attempts / 10),
    sockets,
    seed: seed + attempts,
  })
  await load.ask({ kind: 'pay', pages: second.opened })
  await waitUntilSettled(pool, drop.id)
  const end = await stockOf(pool, drop.id)
  const { rows } = await pool.query(
    `SELECT count(*)::int AS "orders", count(DISTINCT "stripePaymentIntentId")::int AS "payments"
       FROM "Order" WHERE "dropId" = $1 AND "status" = 'paid'`,
    [drop.id],
  )
  const { orders, payments } = rows[0]
  const isRight =
    first.opened.length === units &&
    onlyRefusals(first, attempts - units) &&
    paid.statuses[303] === paying.length &&
    afterFirst.sold === paying.length &&
    afterFirst.held === expiring.length &&
    !late.statuses[303] &&
    second.opened.length === expiring.length &&
    onlyRefusals(second, Math.ceil(attempts / 10) - expiring.length) &&
    orders === units &&
    payments === units &&
    end.sold === units &&
    end.held === 0
  return { isRight, first, second, paid, late, afterFirst, end, orders, payments }
}

/**
 * Whether exactly `expected` attempts were refused because no unit was left, and no attempt was refused for another
 * reason.
 * @param {{ refusals: Record<string, number> }} seen
 * @param {number} expected
 */
function onlyRefusals({ refusals }, expected) {
  const { '409 ALL_IN_CHECKOUT': inCheckout = 0, '409 SOLD_OUT': soldOut = 0, ...others } = refusals
  return inCheckout + soldOut === expected && Object.keys(others).length === 0
}

/**
 * @param {Pool} pool
 * @param {number} dropId
 * @returns {Promise<{ sold: number, held: number }>}
 */
async function stockOf(pool, dropId) {
  const { rows } = await pool.query('SELECT "sold", "held" FROM "Drop" WHERE "id" = $1', [dropId])
  return rows[0]
}
