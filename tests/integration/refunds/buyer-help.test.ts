import { urlencoded } from '@/lib/http/input'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { declineRefund } from '@/lib/refunds/decline-refund'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { requestRefund } from '@/lib/refunds/request-refund'
import { buyerMessageSchema } from '@/lib/orders/schema'
import { sendOrderLinks } from '@/lib/orders/send-order-links'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { REPEATED_MESSAGE_MS } from '@/lib/orders/rules'
import { writeToSeller } from '@/lib/orders/write-to-seller'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function sold() {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { seller, order }
}

it('sends a refund request to the seller once, until the seller has answered it', async () => {
  const { seller, order } = await sold()
  const ask = () => requestRefund(visitor(), { token: order.token, text: 'It came broken.' })
  // Repeated taps count as one request, and each of them succeeds.
  await Promise.all([ask(), ask(), ask()])
  const refused = { code: 'ALREADY_REQUESTED', status: 409 }
  const other = requestRefund(visitor(), { token: order.token, text: 'And it is late.' })
  await expect(other).rejects.toMatchObject(refused)
  const later = { now: () => new Date(Date.now() + 11 * MINUTE_MS) }
  const again = requestRefund({ ...visitor(), clock: later }, { token: order.token, text: 'It came broken.' })
  await expect(again).rejects.toMatchObject(refused)
  const mails = await db().outboxMail.findMany({ where: { to: seller.email, dedupeKey: { startsWith: 'refund-req' } } })
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('It came broken.')
  expect(mails[0]?.text).not.toContain('bea@example.com')
  const refund = { orderId: order.id, refundId: newId('ref'), amountCents: 500, restockUnits: 0 }
  await refundOrder(contextFor(actorOf(seller)), refund)
  const refunds = await db().refund.findMany({ where: { orderId: order.id } })
  expect(refunds).toMatchObject([{ state: 'succeeded', reason: 'It came broken.' }])
})

describe('a request that the seller declines', () => {
  async function asked() {
    const { seller, order } = await sold()
    const ctx = contextFor(actorOf(seller))
    const ask = (now?: Date) => {
      const buyer = visitor()
      const clock = now ? { now: () => now } : buyer.clock
      return requestRefund({ ...buyer, clock }, { token: order.token, text: 'I do not like it.' })
    }
    await ask()
    const openRequest = async () => (await getSellerOrder(ctx, seller.id, order.id)).request
    const answerOf = async () => ({
      orderId: order.id,
      requestId: (await openRequest())?.id ?? '',
      answer: 'It is as described.',
    })
    return { seller, ctx, order, ask, openRequest, answerOf }
  }

  it('is answered once, by email and on the page, with the reason and without a refund', async () => {
    const { ctx, order, openRequest, answerOf } = await asked()
    const said = await answerOf()
    await Promise.all([
      declineRefund(ctx, said),
      declineRefund(ctx, { ...said, answer: 'No.' }),
      declineRefund(ctx, said),
    ])
    const mails = await db().outboxMail.findMany({ where: { dedupeKey: `refund-declined:${said.requestId}` } })
    expect(mails.map(({ to }) => to)).toEqual(['bea@example.com'])
    const page = await findBuyerOrder(db(), order.token)
    const [refund] = await db().refund.findMany({ where: { orderId: order.id } })
    expect(refund).toMatchObject({ state: 'declined', reason: 'I do not like it.' })
    expect(['It is as described.', 'No.']).toContain(refund!.answer)
    expect(mails[0]?.text).toContain(refund!.answer)
    expect(page?.request).toMatchObject({ isOpen: false, declined: { answer: refund!.answer } })
    expect(page?.timeline.map(({ text }) => text)).toEqual(['Paid $24.00', 'Refund requested', 'Refund declined'])
    expect(await openRequest()).toBeNull()
    expect(await db().order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({
      status: 'paid',
      refundedCents: 0,
    })
  })

  it('may be made again after three days, up to three requests in all', async () => {
    const { ctx, ask, answerOf, order } = await asked()
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
    await declineRefund(ctx, await answerOf())
    await expect(ask(inDays(2.9))).rejects.toMatchObject({ code: 'ASK_LATER', status: 409 })
    await ask(inDays(3.1))
    await declineRefund(ctx, await answerOf())
    await ask(inDays(4))
    await declineRefund(ctx, await answerOf())
    await expect(ask(inDays(300))).rejects.toMatchObject({ code: 'ASKED_ENOUGH', status: 409 })
    expect((await findBuyerOrder(db(), order.token))?.request.askAgainFrom).toBeNull()
    expect(await db().refund.count({ where: { orderId: order.id } })).toBe(3)
  })

  it('can be declined only by the seller of the order, and not after a refund', async () => {
    const { ctx, order, answerOf } = await asked()
    const said = await answerOf()
    const stranger = contextFor(actorOf(await makeSeller()))
    await expect(declineRefund(stranger, said)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    await refundOrder(ctx, { orderId: order.id, refundId: newId('ref'), amountCents: 100, restockUnits: 0 })
    await expect(declineRefund(ctx, said)).rejects.toMatchObject({ code: 'NOT_REQUESTED', status: 409 })
    const later = visitor()
    await requestRefund(later, { token: order.token, text: 'The rest, please.' })
    await expect(declineRefund(ctx, said)).rejects.toMatchObject({ code: 'NOT_REQUESTED' })
  })

  it('counts as answered after a refund from the dashboard of Stripe', async () => {
    const { order, openRequest } = await asked()
    await stripe().refunds.create({ payment_intent: order.stripePaymentIntentId ?? '', amount: 900 })
    await syncRefunds(systemContext('test'), order.id)
    expect(await openRequest()).toBeNull()
    const refunds = await db().refund.findMany({ where: { orderId: order.id } })
    expect(refunds).toMatchObject([{ state: 'succeeded', amountCents: 900, reason: 'I do not like it.' }])
  })
})

const messagesTo = (email: string) =>
  db().outboxMail.findMany({ where: { to: email, dedupeKey: { startsWith: 'message:' } } })

/** A time in the middle of a period in which equal texts count as one message. */
const NOON = Date.parse('2026-11-21T12:05:00Z')

function writeAt(minutes: number, token: string, text: string): Promise<void> {
  const clock = { now: () => new Date(NOON + minutes * MINUTE_MS) }
  return writeToSeller({ ...visitor(), clock }, { token, text })
}

it('sends at most five messages an hour about an order, even when many are sent at once', async () => {
  const { seller, order } = await sold()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => writeAt(0, order.token, `Hello ${at}`)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const refused = { status: 429, retryAfterSeconds: expect.any(Number) }
  await expect(writeAt(0, order.token, 'Hello?')).rejects.toMatchObject(refused)
  expect(await messagesTo(seller.email)).toHaveLength(5)
})

it('sends the same text once and counts it as one message', async () => {
  const { seller, order } = await sold()
  const write = (text: string, minutes = 0) => writeAt(minutes, order.token, text)
  await Promise.all(Array.from({ length: 3 }, () => write('Where is it?')))
  expect(await messagesTo(seller.email)).toHaveLength(1)
  for (const text of ['It is blue.', 'And round.', 'A mug.']) await write(text)
  // Ten minutes later, the same text counts as a new message.
  await db().outboxMail.updateMany({ where: { to: seller.email }, data: { createdAt: new Date(NOON) } })
  await write('Where is it?', 10)
  expect(await messagesTo(seller.email)).toHaveLength(5)
  // The limit is reached, but repeating a message that was sent still succeeds.
  await write('A mug.')
  await expect(write('Hello?')).rejects.toMatchObject({ status: 429 })
  // Another order has its own limit.
  const other = await sold()
  await writeAt(0, other.order.token, 'Where is it?')
  expect(await messagesTo(other.seller.email)).toHaveLength(1)
})

it('sends an equal text once within ten minutes, even when a new period begins in between', async () => {
  const { seller, order } = await sold()
  const border = Math.floor(Date.now() / REPEATED_MESSAGE_MS) * REPEATED_MESSAGE_MS
  const writeAtMs = (ms: number) =>
    writeToSeller({ ...visitor(), clock: { now: () => new Date(ms) } }, { token: order.token, text: 'Hello?' })
  await writeAtMs(border - 1)
  await writeAtMs(border)
  expect(await messagesTo(seller.email)).toHaveLength(1)
  await db().outboxMail.updateMany({ where: { to: seller.email }, data: { createdAt: new Date(border - 1) } })
  await writeAtMs(border + REPEATED_MESSAGE_MS - 2)
  expect(await messagesTo(seller.email)).toHaveLength(1)
  await writeAtMs(border + REPEATED_MESSAGE_MS - 1)
  expect(await messagesTo(seller.email)).toHaveLength(2)
})

it('counts a line break as one character, as the form field in the browser does', async () => {
  const read = (text: string) => {
    const body = new URLSearchParams({ token: 'a'.repeat(43), text })
    const request = new Request('http://localhost:3000/', { method: 'POST', body })
    return urlencoded(buyerMessageSchema).read(request, systemContext('test'))
  }
  const typed = `${'a'.repeat(999)}\n${'b'.repeat(1_000)}`
  // A browser's form sends a line break as two characters.
  expect((await read(typed.replaceAll('\n', '\r\n'))).value.text).toBe(typed)
  await expect(read(`${typed}!`)).rejects.toMatchObject({ status: 400, message: 'Use at most 2,000 characters.' })
})

it('emails order links to an address at most three times an hour, and sends nothing to an address without orders', async () => {
  const { order } = await sold()
  const email = `${order.id.toLowerCase()}@example.com`
  await db().order.update({ where: { id: order.id }, data: { buyerEmail: email } })
  for (let count = 0; count < 5; count += 1) await sendOrderLinks(visitor(), { email })
  const mails = await db().outboxMail.findMany({ where: { to: email, dedupeKey: { startsWith: 'find-order:' } } })
  expect(mails).toHaveLength(3)
  expect(mails[0]?.text).toContain(`/o/${order.token}`)
  await sendOrderLinks(visitor(), { email: `no-${email}` })
  expect(await db().outboxMail.count({ where: { to: `no-${email}` } })).toBe(0)
})

it('requests for other addresses of a mailbox do not keep its owner from getting the links, and cannot flood it', async () => {
  const { order } = await sold()
  const name = order.id.toLowerCase().replace('_', '')
  const spelled = (tag: string) => `${name}${tag}@gmail.com`
  const linksTo = (to: string) => db().outboxMail.count({ where: { to, dedupeKey: { startsWith: 'find-order:' } } })
  await db().order.update({ where: { id: order.id }, data: { buyerEmail: spelled('+other') } })
  for (let count = 0; count < 5; count += 1) await sendOrderLinks(visitor(), { email: spelled('+other') })
  expect(await linksTo(spelled('+other'))).toBe(3)
  await db().order.update({ where: { id: order.id }, data: { buyerEmail: spelled('') } })
  for (let count = 0; count < 5; count += 1) await sendOrderLinks(visitor(), { email: spelled('') })
  expect(await linksTo(spelled(''))).toBe(1)
})
