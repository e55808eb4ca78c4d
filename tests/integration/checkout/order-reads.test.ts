// Requests for an unpaid order read it from Stripe, whose calls are limited (ADR 0045), so an order is read only so
// often.
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

it('an unpaid order is read from Stripe at most 300 times a day, and its payment is still settled by the webhook', async () => {
  const drop = await makeDrop({ quantity: 2 })
  const { url, sessionId } = await openCheckout(drop.id)
  const { reads: before } = await standIn()!.traffic()
  const ask = () => getPaidOrder(visitor(), sessionId).catch((error: unknown) => (error as { code: string }).code)
  const outcomes: unknown[] = []
  for (let round = 0; round < 16; round += 1) outcomes.push(...(await Promise.all(Array.from({ length: 20 }, ask))))
  expect(new Set(outcomes)).toEqual(new Set(['NOT_FOUND']))
  expect((await standIn()!.traffic()).reads - before).toBe(300)

  await pay(url)
  expect(await settleCheckout(visitor(), sessionId)).toBe('paid')
  expect(await ask()).toMatchObject({ status: 'paid' })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 1, held: 0 })
})
