import type { CallEntry, Entry } from './create-recorder'
import { groupBy } from './group-by'
import type { World } from './start-world'
import type { Violation } from './violation'
import type { DropState } from './watch-database'

type SoldOrder = { id: string; quantity: number; refundedCents: number; mayHaveFewer: boolean; keys: number }

/**
 * Checks that each paid unit has exactly one key that works. A refund or a lost dispute takes back the keys that nobody
 * saw, and the order gets keys again when the bank rejects the refund, so such an order may have fewer keys than units.
 */
async function checkKeys({ postgres }: World): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<SoldOrder>(
    `SELECT o."id", o."quantity", o."refundedCents", EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id") OR EXISTS (
              SELECT 1 FROM "Dispute" x WHERE x."orderId" = o."id" AND x."status" = 'lost') AS "mayHaveFewer",
            (SELECT count(*)::int FROM "DropKey" k WHERE k."orderId" = o."id" AND k."voidedAt" IS NULL) AS "keys"
       FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "Drop" d ON d."id" = o."dropId"
      WHERE d."keysGiven" IS NOT NULL AND (h."state" = 'sold' OR h."reason" = 'refunded' OR EXISTS (
              SELECT 1 FROM "DropKey" k WHERE k."orderId" = o."id"))`,
  )
  return rows
    .filter(({ keys, quantity, mayHaveFewer }) => (mayHaveFewer ? keys > quantity : keys !== quantity))
    .map((order) => ({ check: 'paid-unit-without-one-key', evidence: { order } }))
}

/** Checks that no key was shown to the buyers of two orders. */
function checkShownKeys(entries: readonly Entry[]): Violation[] {
  const shown = entries
    .filter((entry): entry is CallEntry => entry.kind === 'call' && entry.verb === 'readKeys')
    .flatMap(({ outcome, about }) =>
      'status' in outcome && outcome.status === 200
        ? outcome.body
            .split(' ')
            .filter(Boolean)
            .map((key) => ({ key, order: String(about.order) }))
        : [],
    )
  return [...groupBy(shown, ({ key }) => key)].flatMap(([key, own]): Violation[] => {
    const orders = [...new Set(own.map(({ order }) => order))]
    return orders.length > 1 ? [{ check: 'key-given-twice', evidence: { key, orders } }] : []
  })
}

/** Checks that the numbers of each numbered run go from 1 to its sold units, and that each order has one per unit. */
async function checkNumbers({ postgres }: World): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<{ dropId: number; run: number; numbers: number[]; units: number }>(
    `SELECT d."id" AS "dropId", d."run", ARRAY(SELECT e."number" FROM "EditionNumber" e
              WHERE e."dropId" = d."id" AND e."run" = d."run" ORDER BY e."number") AS "numbers",
            coalesce((SELECT sum(o."quantity") FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
              WHERE o."dropId" = d."id" AND h."run" = d."run" AND (h."state" = 'sold' OR h."reason" = 'refunded')), 0)::int AS "units"
       FROM "Drop" d WHERE d."isNumbered"`,
  )
  const { rows: wrong } = await postgres.pool.query<{ id: string; quantity: number; numbers: number }>(
    `SELECT o."id", o."quantity", count(e."number")::int AS "numbers" FROM "Order" o JOIN "Drop" d ON d."id" = o."dropId"
       JOIN "Hold" h ON h."id" = o."holdId" LEFT JOIN "EditionNumber" e ON e."orderId" = o."id"
      WHERE d."isNumbered" AND (h."state" = 'sold' OR h."reason" = 'refunded')
      GROUP BY o."id" HAVING count(e."number") <> o."quantity"`,
  )
  return [
    ...rows
      .filter(({ numbers, units }) => numbers.length !== units || numbers.some((number, at) => number !== at + 1))
      .map((edition) => ({ check: 'numbers-with-gaps', evidence: { edition } })),
    ...wrong.map((order) => ({ check: 'numbers-with-gaps', evidence: { order } })),
  ]
}

/** Checks that the cap of an open edition was never raised after the first order. */
async function checkCaps({ postgres }: World, states: readonly DropState[]): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<{ id: number }>('SELECT "id" FROM "Drop" WHERE "isOpenEdition"')
  return rows.flatMap(({ id }): Violation[] => {
    const own = states.filter(({ dropId }) => dropId === id)
    const raised = own.find(
      (state, at) => (own[at - 1]?.sold ?? 0) > 0 && state.quantity > (own[at - 1]?.quantity ?? 0),
    )
    return raised ? [{ check: 'cap-raised', evidence: { raised } }] : []
  })
}

/** Checks keys, numbers and open editions after everything has come to rest. */
export async function checkGoods(
  world: World,
  entries: readonly Entry[],
  states: readonly DropState[],
): Promise<Violation[]> {
  return [
    ...(await checkKeys(world)),
    ...checkShownKeys(entries),
    ...(await checkNumbers(world)),
    ...(await checkCaps(world, states)),
  ]
}
