/**
 * The invariants about the rules under which a unit was sold: early access and shipping zones. checkInvariants() checks
 * them together with its own.
 * @type {import('./check-invariants.mjs').Invariant[]}
 */
export const saleInvariants = [
  {
    name: 'I1',
    holds:
      'early access: the units counted as taken early are those that followers hold or bought with links to the drop',
    // A unit that a refund put back on sale still counts. After the public start, the number no longer limits anything.
    sql: `SELECT d."id"::text, d."earlyTaken", coalesce(h."units", 0)::int AS "byHolds" FROM "Drop" d LEFT JOIN (
                   SELECT h."dropId", h."run", sum(o."quantity") AS "units" FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
                    WHERE h."earlyLinkId" IS NOT NULL AND (h."state" <> 'released' OR h."reason" = 'refunded')
                    GROUP BY 1, 2) h ON h."dropId" = d."id" AND h."run" = d."run"
           WHERE d."earlyMinutes" IS NOT NULL AND d."startedAt" > now() AND d."earlyTaken" <> coalesce(h."units", 0)
          UNION ALL
          SELECT h."id", h."dropId", l."dropId" FROM "Hold" h JOIN "EarlyLink" l ON l."id" = h."earlyLinkId"
           WHERE l."dropId" <> h."dropId"`,
  },
  {
    name: 'I1',
    holds: 'shipping zones: each parcel goes to a country of the zone that was paid for',
    // Zones can change until the start, so orders from before it are left out.
    sql: `SELECT o."id", o."shipsTo", o."shipCountry" FROM "Drop" d JOIN "Order" o ON o."dropId" = d."id"
           WHERE d."shippingZones" IS NOT NULL AND o."createdAt" >= d."startedAt"
             AND o."status" IN ('paid', 'shipped', 'delivered') AND NOT EXISTS (
               SELECT FROM jsonb_array_elements(d."shippingZones") z
                WHERE z -> 'countries' @> to_jsonb(o."shipsTo") AND (o."shipCountry" IS NULL OR z -> 'countries' @> to_jsonb(o."shipCountry"))
                  AND (z ->> 'cents')::int = o."shippingCents")`,
  },
  {
    name: 'I8',
    holds: 'refunds of shipping: no more than the surcharge that was paid',
    sql: `SELECT o."id", o."shippingCents", sum(r."shippingCents")::int AS "refunded" FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId"
           WHERE r."shippingCents" > 0 AND r."state" IN ('pending', 'succeeded') GROUP BY 1, 2
          HAVING sum(r."shippingCents") > o."shippingCents"`,
  },
]
