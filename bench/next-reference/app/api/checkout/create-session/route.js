import { pool } from '../../../../shop/database'

export const dynamic = 'force-dynamic'

const HOLD = `
  WITH taken AS (
    UPDATE "bench"."Stock" SET "left" = "left" - 1 WHERE "id" = $1 AND "left" >= 1 RETURNING "id"
  ), held AS (
    INSERT INTO "bench"."Hold" ("dropId") SELECT "id" FROM taken RETURNING "id"
  )
  INSERT INTO "bench"."NextOrder" ("dropId", "holdId") SELECT taken."id", held."id" FROM taken, held RETURNING "id"`

export async function POST(request) {
  const { dropId } = await request.json()
  const { rows } = await pool.query({ name: 'hold', text: HOLD, values: [dropId ? 2 : 0] })
  if (rows.length === 0) return Response.json({ error: 'sold out' }, { status: 409 })
  return Response.json({ url: `/sandbox/checkout/${rows[0].id}` })
}
