import type Stripe from 'stripe'
import { settle } from '../../../../shop/settle'
import { stripe } from '../../../../shop/stripe'

export const dynamic = 'force-dynamic'

/**
 * Settles the order of a paid session. Like the application, it reads the session from Stripe and not from the event.
 */
export async function POST(request: Request): Promise<Response> {
  if (!stripe) return new Response(null, { status: 404 })
  const body = await request.text()
  const signature = request.headers.get('stripe-signature') ?? ''
  const event = stripe.webhooks.constructEvent(body, signature, process.env.BENCH_STRIPE_WEBHOOK_SECRET ?? '')
  if (event.type !== 'checkout.session.completed') return Response.json({ received: true })
  const { id } = event.data.object as Stripe.Checkout.Session
  const expand = ['payment_intent.latest_charge.balance_transaction']
  const session = await stripe.checkout.sessions.retrieve(id, { expand })
  await settle(session.client_reference_id ?? '', session.customer_details?.email ?? null)
  return Response.json({ received: true })
}
