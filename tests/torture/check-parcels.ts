import { type ShippingZone, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { groupBy } from './group-by'
import type { World } from './start-world'
import type { Violation } from './violation'

/**
 * A statement waits at most this long for the order's row. The recorded time of shipping may be from before the wait.
 */
const WAIT_FOR_LOCK_SECONDS = 17

type ParcelRow = {
  id: string
  shipsTo: string | null
  shipCountry: string | null
  addressVersion: number
  zones: ShippingZone[] | null
  isShipped: boolean
  isLateRefund: boolean
  isChangedAfterShipping: boolean
}

/**
 * Checks that a parcel goes to the country that was paid for, or to one with the same surcharge that its buyer chose
 * later.
 */
function checkCountries(parcels: readonly ParcelRow[]): Violation[] {
  return parcels.flatMap((parcel): Violation[] => {
    const { shipsTo, shipCountry, addressVersion, zones } = parcel
    if (shipsTo === null) return []
    const zone = zoneOf(zones ?? [], shipsTo)
    const isRight =
      addressVersion === 0 ? shipCountry === shipsTo : zone !== null && zone.countries.includes(shipCountry ?? '')
    return isRight ? [] : [{ check: 'parcel-to-another-country', evidence: { parcel } }]
  })
}

type LateRow = { orderId: string; answer: string; stripeIntent: string; isFailed: boolean; amountCents: number }

/**
 * Checks that each buyer of a late parcel who wanted the money back, or did not answer, got it. The bank decides about
 * a disputed payment, and a failed refund opens the order again.
 */
async function checkLateRefunds({ postgres, stripePool }: World): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<LateRow>(
    `SELECT o."id" AS "orderId", s."answer", o."stripePaymentIntentId" AS "stripeIntent", o."amountCents",
            EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'failed') AS "isFailed"
       FROM "ShippingDelay" s JOIN "Order" o ON o."id" = s."orderId" WHERE s."answer" IN ('refund', 'silence')`,
  )
  const { rows: asked } = await stripePool.query<{ id: string; cents: number; isDisputed: boolean }>(
    `SELECT p."id", coalesce((SELECT sum((r."json"->>'amount')::int) FROM "SandboxObject" r WHERE r."kind" = 'refund'
              AND r."json"->>'payment_intent' = p."id" AND r."json"->>'status' <> 'canceled'), 0)::int AS "cents",
            EXISTS (SELECT 1 FROM "SandboxObject" d WHERE d."kind" = 'dispute' AND d."json"->>'payment_intent' = p."id") AS "isDisputed"
       FROM "SandboxObject" p WHERE p."id" = ANY($1)`,
    [rows.map(({ stripeIntent }) => stripeIntent)],
  )
  const byId = new Map(asked.map((payment) => [payment.id, payment]))
  return rows.flatMap((late): Violation[] => {
    const payment = byId.get(late.stripeIntent)
    if (late.isFailed || payment?.isDisputed || payment?.cents === late.amountCents) return []
    return [{ check: 'late-parcel-not-refunded', evidence: { late, payment: payment ?? null } }]
  })
}

type Change = { orderId: string; version: number; before: object; after: object; last: object }

/** Checks that each change of an address begins with the address before it, and that the order has the newest. */
async function checkAddresses({ postgres }: World): Promise<Violation[]> {
  const address = ['shipName', 'shipLine1', 'shipLine2', 'shipCity', 'shipState', 'shipPostalCode', 'shipCountry']
  const { rows } = await postgres.pool.query<Change>(
    `SELECT c."orderId", c."version", c."before", c."after",
            json_build_object(${[...address, 'buyerPhone'].map((name) => `'${name}', o."${name}"`).join(', ')}) AS "last"
       FROM "AddressChange" c JOIN "Order" o ON o."id" = c."orderId" ORDER BY c."orderId", c."version"`,
  )
  const text = (one: object) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  return [...groupBy(rows, ({ orderId }) => orderId)].flatMap(([orderId, own]): Violation[] => {
    const isChain = own.every(
      (change, at) => change.version === at + 1 && (at === 0 || text(change.before) === text(own[at - 1]!.after)),
    )
    const newest = own.at(-1)!
    return isChain && text(newest.after) === text(newest.last)
      ? []
      : [{ check: 'address-is-not-the-newest', evidence: { orderId, own } }]
  })
}

/** Checks countries, addresses and late parcels after everything has come to rest. */
export async function checkParcels(world: World): Promise<{ violations: Violation[]; late: number; moved: number }> {
  const { rows } = await world.postgres.pool.query<ParcelRow>(
    `SELECT o."id", o."shipsTo", o."shipCountry", o."addressVersion", d."shippingZones" AS "zones", o."shippedAt" IS NOT NULL AS "isShipped",
            o."lateRefundAt" IS NOT NULL AS "isLateRefund", coalesce((SELECT max(c."createdAt") FROM "AddressChange" c
              WHERE c."orderId" = o."id") > o."shippedAt" + interval '${WAIT_FOR_LOCK_SECONDS} seconds', false) AS "isChangedAfterShipping"
       FROM "Order" o JOIN "Drop" d ON d."id" = o."dropId" WHERE o."paidAt" IS NOT NULL AND o."productType" = 'physical'
        AND NOT EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'system')`,
  )
  return {
    violations: [
      ...checkCountries(rows),
      ...rows
        .filter(({ isShipped, isLateRefund }) => isShipped && isLateRefund)
        .map((parcel) => ({ check: 'shipped-and-refunded', evidence: { parcel } })),
      ...rows
        .filter(({ isChangedAfterShipping }) => isChangedAfterShipping)
        .map((parcel) => ({ check: 'address-changed-after-shipping', evidence: { parcel } })),
      ...(await checkLateRefunds(world)),
      ...(await checkAddresses(world)),
    ],
    late: rows.filter(({ isLateRefund }) => isLateRefund).length,
    moved: rows.filter(({ addressVersion }) => addressVersion > 0).length,
  }
}
