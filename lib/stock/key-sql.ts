import 'server-only'

/** SQL: whether a key `k` belongs to a drop and is free. */
const isFree = (dropId: string) => `k."dropId" = ${dropId} AND k."orderId" IS NULL`

/** The number of free keys of a drop. */
const free = (dropId: string) => `(SELECT count(*)::int FROM "DropKey" k WHERE ${isFree(dropId)})`

/** The cents of order `o` that lost disputes returned, at most the amount paid less the refunds. */
const lost = (refunded: string) => `LEAST(o."amountCents" - ${refunded}, COALESCE((
    SELECT sum(x."amountCents") FROM "Dispute" x WHERE x."orderId" = o."id" AND x."status" = 'lost'), 0))`

/** How many units of order `o` were not paid back in full, given the sum of its confirmed refunds. */
const kept = (refunded: string) =>
  `(o."quantity" - LEAST(o."quantity", (${refunded} + ${lost(refunded)}) / o."unitPriceCents"))`

/**
 * How keys are counted and given, as parts of SQL statements over a "Drop" row `d` (ADR 0061). Every statement that
 * gives or returns keys needs a lock on the drop's row that an earlier statement took, so that it sees all keys that
 * other transactions have given. Triggers ensure that each unsold unit of a drop has a free key.
 */
export const keySql = {
  free,
  /** Whether the drop has a free key. */
  hasFree: `EXISTS (SELECT 1 FROM "DropKey" k WHERE ${isFree('d."id"')})`,
  /**
   * The sequence of an order's keys `k`, the same on pages and in files. Keys that were given later come later, and
   * void ones last. The units of an order are paid back starting with the last key that is not void.
   */
  sequence: `k."voidedAt" NULLS FIRST, k."givenAt", k."id"`,
  /** The number of a drop's keys that were seen by a buyer who got the money back. They cannot be sold again. */
  spent: (dropId: string) => `COALESCE((
    SELECT sum(GREATEST(0, g."keys" - ${kept('o."refundedCents"')}))
      FROM "Order" o, LATERAL (SELECT count(*) AS "keys", count(k."voidedAt") AS "void" FROM "DropKey" k WHERE k."orderId" = o."id") g
     WHERE o."dropId" = ${dropId} AND (o."refundedCents" > 0 OR g."void" > 0 OR EXISTS (
             SELECT 1 FROM "Dispute" x WHERE x."orderId" = o."id" AND x."status" = 'lost'))), 0)::int`,
  /** How many units of order `o` were not paid back in full by its confirmed refunds and its lost disputes. */
  unrefunded: kept(`COALESCE((
    SELECT sum(r."amountCents") FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'succeeded'), 0)`),
  /**
   * The number of free keys that no unsold unit needs. Nothing of a hidden drop can be sold, so all its free keys
   * count.
   */
  spare: `(${free('d."id"')} - CASE WHEN d."hiddenAt" IS NULL THEN d."quantity" - d."sold" ELSE 0 END)`,
  /** Whether the drop has a free key for each of these units; true for a drop without keys. */
  covers: (units: string) => `(d."keysGiven" IS NULL OR ${free('d."id"')} >= ${units})`,
  /**
   * The statement that gives an order its keys, the oldest first. It reads the keys of one drop in a LATERAL query,
   * because Postgres may read the keys of all drops for a join with a limit.
   * @param sale a row of a WITH query with `orderId`, `dropId` and `quantity`, and no row when nothing was sold.
   */
  give: (sale: string) => `
    UPDATE "DropKey" k SET "orderId" = next."orderId", "givenAt" = now()
      FROM ${sale} s CROSS JOIN LATERAL (
             SELECT k."id", s."orderId" FROM "DropKey" k WHERE ${isFree('s."dropId"')} ORDER BY k."id" LIMIT s."quantity") next
     WHERE k."id" = next."id" AND k."orderId" IS NULL`,
} as const
