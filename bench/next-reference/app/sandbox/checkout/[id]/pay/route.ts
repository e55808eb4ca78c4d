import { createHmac } from 'node:crypto'
import { pool } from '../../../../../shop/database'

export const dynamic = 'force-dynamic'

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

/** Settles the order as a webhook would: it computes a signature over the body, then runs one statement. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const body = await request.text()
  createHmac('sha256', 'whsec_bench').update(body).digest('hex')
  const { id } = await params
  const { rowCount } = await pool.query({
    name: 'settle',
    text: SETTLE,
    values: [id, (JSON.parse(body) as { email: string }).email],
  })
  return new Response(null, { status: rowCount === 1 ? 303 : 410, headers: { location: '/' } })
}
