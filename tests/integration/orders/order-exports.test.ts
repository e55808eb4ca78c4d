import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { makeEarlyDrop } from '@/tests/support/make-early-drop'
import { actorOf, contextFor, makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { readOrdersCsv, readSellerOrders } from '@/tests/support/read-exports'

examineMoneyAfterEach()
afterAll(closeDatabase)

it("the seller's order list, order page and CSV show the option, run and early sale, and the evidence shows the early sale", async () => {
  const { drop, seller, token } = await makeEarlyDrop({ optionName: 'Size' })
  await db().optionValue.create({ data: { dropId: drop.id, value: 'M', quantity: drop.quantity, position: 0 } })
  await db().dropRun.updateMany({ where: { dropId: drop.id }, data: { run: 2 } })
  await db().drop.update({ where: { id: drop.id }, data: { run: 2 } })
  const plain = await makeDrop({ userId: seller.id })
  const bought: string[] = []
  for (const open of [
    () => openCheckout(drop.id, { early: token, selectedVariants: { Size: 'M' } }),
    () => openCheckout(plain.id),
  ]) {
    const { url, sessionId } = await open()
    await pay(url)
    expect(await settleCheckout(systemContext('test'), sessionId)).toBe('paid')
    bought.push((await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })).id)
  }
  const [early, other] = bought as [string, string]
  const ctx = contextFor(actorOf(seller))

  const orders = await readSellerOrders(visitor(), seller.id)
  const facts = { isEarly: true, run: 2, option: { name: 'Size', value: 'M' } }
  const none = { isEarly: false, run: 1, option: null }
  expect(orders.find(({ id }) => id === early)).toMatchObject(facts)
  expect(orders.find(({ id }) => id === other)).toMatchObject(none)
  const lines = (await readOrdersCsv(visitor(), seller.id)).split('\r\n')
  expect(lines[0]).toMatch(/,early,option,run$/)
  expect(lines.find((line) => line.startsWith(early))).toMatch(/,yes,M,2$/)
  expect(lines.find((line) => line.startsWith(other))).toMatch(/,,,1$/)

  expect(await getSellerOrder(ctx, seller.id, early)).toMatchObject(facts)
  expect(await getSellerOrder(ctx, seller.id, other)).toMatchObject(none)
  const earlySentence = 'The buyer bought before the public start'
  expect((await getEvidence(ctx, early)).text).toContain(earlySentence)
  expect((await getEvidence(ctx, other)).text).not.toContain(earlySentence)
})
