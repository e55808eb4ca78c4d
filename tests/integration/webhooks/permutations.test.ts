// Stripe may send events in any order (docs.stripe.com/webhooks; docs/stripe-rules.md, C7). This test delivers five
// events in all 120 orders, for payments that are kept, refunded in full or in part, or disputed. Afterwards the order
// must always have the final state of the payment at Stripe.
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { stripe } from '@/lib/infra/stripe'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { makeDrop } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

examineMoneyAfterEach()
afterAll(closeDatabase)

const WORKERS = 10

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

const EVENTS = [
  'payment_intent.created',
  'checkout.session.completed',
  'charge.refunded',
  'checkout.session.expired',
  'charge.dispute.created',
] as const

const PAYS = '4242424242424242'
const refundAll = (intent: string) => stripe().refunds.create({ payment_intent: intent })
const refundPart = (intent: string) => stripe().refunds.create({ payment_intent: intent, amount: 1000 })

it.each([
  ['paid', 0, async () => undefined, PAYS],
  ['refunded', 5000, refundAll, PAYS],
  ['paid', 1000, refundPart, PAYS],
  ['disputed', 0, async () => undefined, '4000000000000259'],
] as const)(
  'after five events in any order, an order has Stripe’s state: %s, %i cents refunded',
  async (truth, backCents, act, card) => {
    const drop = await makeDrop({ quantity: 200, priceCents: 5000 })
    const sequences = permutations(EVENTS)
    const mismatches: string[] = []
    const walk = async (types: readonly (typeof EVENTS)[number][]) => {
      const { url, sessionId } = await openCheckout(drop.id)
      await pay(url, card)
      const intent = String((await stripe().checkout.sessions.retrieve(sessionId)).payment_intent)
      await act(intent)
      for (const type of types) {
        const object = type.startsWith('checkout')
          ? { id: sessionId }
          : { id: intent, payment_intent: intent, metadata: {} }
        const event = stripeEvent(type, object)
        await receiveStripeEvent(systemContext('test'), event)
      }
      const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
      const { status, refundedCents } = order
      if (status !== truth || refundedCents !== backCents)
        mismatches.push(`${types.join()}: ${status} ${refundedCents}`)
    }
    const remaining = [...sequences]
    const work = async () => {
      for (let types = remaining.pop(); types; types = remaining.pop()) await walk(types)
    }
    await Promise.all(Array.from({ length: WORKERS }, work))
    expect(mismatches).toEqual([])
    const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
    expect({ sold, held }).toEqual({ sold: sequences.length, held: 0 })
  },
  300_000,
)
