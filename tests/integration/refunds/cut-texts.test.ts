// Emails and evidence shorten long texts of users. Postgres refuses JSON with half an emoji, and with the email the
// whole change would be rolled back.
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { DAY_MS } from '@/lib/kernel/time'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { declineRefund } from '@/lib/refunds/decline-refund'
import { refundUnanswered } from '@/lib/refunds/refund-late-order'
import { requestRefund } from '@/lib/refunds/request-refund'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { writeToSeller } from '@/lib/orders/write-to-seller'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

/** Texts in which an emoji is at each of the places where a cut may be. */
const texts = Array.from({ length: 6 }, (_, at) => `${'a'.repeat(115 + at)}😀😀😀 and so on`)
const wellFormed = (text: string) => expect(text).not.toMatch(/[\ud800-\udfff]/u)

async function paidOrder(dropFields: object = {}) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, ...dropFields })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  return { seller, order: await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } }) }
}

it.each(texts)('sends a message, a refund request and its answer that begin with %s', async (text) => {
  const { seller, order } = await paidOrder()
  await writeToSeller(visitor(), { token: order.token, text })
  await requestRefund(visitor(), { token: order.token, text })
  const open = await db().refund.findFirstOrThrow({ where: { orderId: order.id, state: 'requested' } })
  await declineRefund(contextFor(actorOf(seller)), { orderId: order.id, requestId: open.id, answer: text })
  const mails = await db().outboxMail.findMany({ where: { text: { contains: text } } })
  expect(mails.length).toBeGreaterThanOrEqual(3)
  for (const { content, subject } of mails) wellFormed(subject + JSON.stringify(content))
})

it('refunds late orders even when an email has a title that is cut inside a letter outside the basic plane', async () => {
  const late = { shipsFrom: 'DE', shipsWithin: 7 }
  // "Refunded because it was late: " and the title are longer than a subject may be.
  const long = await paidOrder(late)
  const other = await paidOrder(late)
  const shipsBy = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS)
  const ids = [long.order.id, other.order.id]
  for (const [at, id] of ids.entries()) {
    const dropTitle = `${'T'.repeat(144 + at)}${'𠮷'.repeat(15)}`
    await db().order.update({ where: { id }, data: { dropTitle } })
  }
  await db().order.updateMany({
    where: { id: { in: ids } },
    data: { shipsBy, paidAt: new Date(Date.now() - 20 * DAY_MS) },
  })
  await askAboutDelays(systemContext('test'))
  await db().shippingDelay.updateMany({
    where: { orderId: { in: ids } },
    data: { answerBy: new Date(Date.now() - 1) },
  })
  await refundUnanswered(systemContext('test'))
  const orders = await db().order.findMany({ where: { id: { in: ids } } })
  expect(orders.map(({ lateRefundAt }) => lateRefundAt)).toEqual([expect.any(Date), expect.any(Date)])
})
