import { pool } from './database'

const SETTLE = `
  WITH paid AS (
    UPDATE "bench"."NextOrder" SET "paidAt" = now(), "email" = $2 WHERE "id" = $1 AND "paidAt" IS NULL RETURNING "id", "holdId", "dropId"
  ), sold AS (
    UPDATE "bench"."Hold" h SET "state" = 'sold' FROM paid WHERE h."id" = paid."holdId"
  ), stock AS (
    UPDATE "bench"."Stock" s SET "sold" = "sold" + 1 FROM paid WHERE s."id" = paid."dropId"
  ), mail AS (
    INSERT INTO "bench"."Mail" ("to", "text") SELECT $2, 'receipt' FROM paid
  )
  SELECT "id" FROM paid`

/** Marks an order as paid in one statement. Returns false if it was paid before. */
export async function settle(orderId: string, email: string | null): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'settle', text: SETTLE, values: [orderId, email] })
  return rowCount === 1
}
