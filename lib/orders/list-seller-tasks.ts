import 'server-only'
import { imageSrc } from '@/lib/drops/view'
import type { Database } from '@/lib/infra/db'
import { formatDay } from '@/lib/kernel/time'
import { lateSql } from './late-sql'
import type { SellerTaskKind, SellerTaskView } from './task-view'

/**
 * The maximum number of lines per kind. If there are more orders, the last line counts all those without a line of
 * their own.
 */
const OWN_LINES = 3

type TaskRow = {
  kind: SellerTaskKind
  orderId: string
  title: string
  buyerName: string | null
  at: Date | null
  /** The number of all orders of this kind. */
  total: number
  image: { key: string; width: number } | null
}

const ORDER_COLUMNS = `o."id" AS "orderId", o."dropId", o."dropTitle" AS "title", o."buyerName"`
const TO_SHIP = `o."sellerId" = :sellerId AND ${lateSql.toShip}`

/** Selects the most urgent order to ship that meets the condition, with the number of all such orders. */
const oldestToShip = (kind: 'late' | 'ship', condition: string) =>
  `(SELECT '${kind}' AS "kind", ${ORDER_COLUMNS}, ${lateSql.shipDay} AS "at", (count(*) OVER ())::int AS "total"
      FROM "Order" o WHERE ${TO_SHIP} AND ${condition} ORDER BY ${lateSql.shipDay}, o."id" LIMIT 1)`

/**
 * Lists what a seller has to do about orders: disputes and inquiries that need evidence, open refund requests, late
 * parcels and other parcels to ship. Each kind begins with its most urgent order.
 */
export async function listSellerTasks(
  { sql }: Database,
  sellerId: number,
  timezone: string,
): Promise<SellerTaskView[]> {
  const rows = await sql<TaskRow>(
    'seller-tasks',
    `SELECT x."kind", x."orderId", x."title", x."buyerName", x."at", x."total",
            (SELECT json_build_object('key', i."key", 'width', i."widths"[1]) FROM "DropImage" i
              WHERE i."dropId" = x."dropId" ORDER BY i."position" LIMIT 1) AS "image"
       FROM ((SELECT "kind", "orderId", "dropId", "title", "buyerName", "at", "total"
                FROM (SELECT CASE WHEN d."status" = 'needs_response' THEN 'dispute' ELSE 'inquiry' END AS "kind", ${ORDER_COLUMNS},
                             d."dueAt" AS "at", (count(*) OVER (PARTITION BY d."status"))::int AS "total",
                             row_number() OVER (PARTITION BY d."status" ORDER BY d."dueAt" NULLS LAST, d."id") AS "place"
                        FROM "Dispute" d JOIN "Order" o ON o."id" = d."orderId"
                       WHERE d."submittedAt" IS NULL AND d."closedAt" IS NULL AND o."sellerId" = :sellerId
                         AND d."status" IN ('needs_response', 'warning_needs_response')) open
               WHERE "place" <= ${OWN_LINES} ORDER BY "kind", "place")
             UNION ALL
             (SELECT 'refund', ${ORDER_COLUMNS}, r."createdAt", (count(*) OVER ())::int
                FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId"
               WHERE r."state" = 'requested' AND o."sellerId" = :sellerId
               ORDER BY r."createdAt", r."id" LIMIT ${OWN_LINES})
             UNION ALL ${oldestToShip('late', `${lateSql.lateAt} < now()`)}
             UNION ALL ${oldestToShip('ship', `${lateSql.lateAt} >= now()`)}) x`,
    { sellerId },
  )
  return groupTasks(rows).map(({ image, total: _, ...row }) => ({
    ...row,
    imageSrc: image ? imageSrc(image.key, image.width) : null,
    at: row.at?.toISOString() ?? null,
    day: row.at && formatDay(row.at, timezone),
  }))
}

/**
 * Groups the orders of each kind into lines. Late parcels and other parcels get one line each, and the orders of any
 * other kind get at most OWN_LINES lines.
 */
function groupTasks(rows: readonly TaskRow[]): (TaskRow & { count: number })[] {
  const lines: (TaskRow & { count: number })[] = []
  for (const row of rows) {
    const before = lines.filter(({ kind }) => kind === row.kind)
    if (row.kind === 'late' || row.kind === 'ship') lines.push({ ...row, count: row.total })
    else if (before.length < OWN_LINES - 1 || row.total <= OWN_LINES) lines.push({ ...row, count: 1 })
    else if (before.length === OWN_LINES - 1) lines.push({ ...row, count: row.total - before.length })
  }
  return lines
}
