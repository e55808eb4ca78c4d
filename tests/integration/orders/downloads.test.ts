import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { sendFile } from '@/lib/http/send-file'
import { getDownload, mintDownload, openLinkedFile } from '@/lib/orders/mint-download'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function soldFile() {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, productType: 'digital' })
  const storageKey = `files/${newId('f').toLowerCase()}.pdf`
  await storage().put(storageKey, Buffer.from('0123456789'))
  const fileName = 'Notes (final).pdf'
  await db().digitalFile.create({ data: { dropId: drop.id, source: 'upload', storageKey, fileName } })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { order, seller: contextFor(actorOf(seller)), storageKey, fileName }
}

const mint = (token: string) => mintDownload(visitor(), { token, userAgent: 'test' })

function linkOf(path: string) {
  const { pathname, searchParams } = new URL(path, 'http://localhost:3000')
  return {
    token: pathname.split('/')[2] ?? '',
    until: Number(searchParams.get('until')),
    signature: searchParams.get('signature') ?? '',
  }
}

it('creates five links per order, even for ten simultaneous clicks, and records each link', async () => {
  const { order, storageKey } = await soldFile()
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => mint(order.token)))
  const paths = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(paths).toHaveLength(5)
  expect(await db().download.count({ where: { orderId: order.id, userAgent: 'test' } })).toBe(5)
  expect(await getDownload(visitor(), linkOf(paths[0] ?? ''))).toMatchObject({ storageKey })
})

it('refuses a changed link, an expired link and a link used with another order', async () => {
  const [mine, other] = [await soldFile(), await soldFile()]
  const link = linkOf(await mint(mine.order.token))
  const refused = { code: 'LINK_EXPIRED', status: 410 }
  await expect(getDownload(visitor(), { ...link, until: link.until + 1 })).rejects.toMatchObject(refused)
  await expect(getDownload(visitor(), { ...link, token: other.order.token })).rejects.toMatchObject(refused)
  const later = { ...visitor(), clock: { now: () => new Date(link.until + 1) } }
  await expect(getDownload(later, link)).rejects.toMatchObject(refused)
})

it('a full refund ends the downloads of an order, including links that were created before the refund', async () => {
  const { order, seller } = await soldFile()
  const link = linkOf(await mint(order.token))
  // The two refunds add up to the price of the drop.
  const refund = { orderId: order.id, restockUnits: 0 }
  await refundOrder(seller, { ...refund, refundId: newId('ref'), amountCents: 400 })
  expect(await getDownload(visitor(), link)).toBeTruthy()
  await refundOrder(seller, { ...refund, refundId: newId('ref'), amountCents: 2000 })
  await expect(getDownload(visitor(), link)).rejects.toMatchObject({ status: 404 })
  await expect(mint(order.token)).rejects.toMatchObject({ status: 404 })
})

it.each([
  [null, 200, '0123456789', null],
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=0-999', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=4-2', 200, '0123456789', null],
  ['bytes=0-1,3-4', 200, '0123456789', null],
  ['lines=1-2', 200, '0123456789', null],
])('responds to a request with the range header %s with status %i', async (range, status, body, contentRange) => {
  const { storageKey, fileName } = await soldFile()
  const request = new Request('http://localhost:3000/', { headers: range ? { range } : {} })
  const response = await sendFile(request, storageKey, fileName)
  expect(response?.status).toBe(status)
  expect(await response?.text()).toBe(body)
  expect(response?.headers.get('content-range')).toBe(contentRange)
  expect(response?.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Notes%20%28final%29.pdf")
})

it('records each opening of a file that the seller keeps elsewhere, but at most one an hour after the first twenty', async () => {
  const { order } = await soldFile()
  const linked = { source: 'link' as const, url: 'https://files.example/zine.pdf', storageKey: null }
  await db().digitalFile.update({ where: { dropId: order.dropId }, data: linked })
  const open = () => openLinkedFile(visitor(), { token: order.token, userAgent: 'test' })
  for (let time = 0; time < 25; time += 1) expect(await open()).toBe(linked.url)
  expect(await db().download.count({ where: { orderId: order.id } })).toBe(20)
  await db().download.updateMany({
    where: { orderId: order.id },
    data: { createdAt: new Date(Date.now() - 2 * HOUR_MS) },
  })
  await open()
  await open()
  expect(await db().download.count({ where: { orderId: order.id } })).toBe(21)
})

it('leads from the link of a linked file to the order page when the file is in our storage, and records nothing', async () => {
  const { order } = await soldFile()
  expect(await openLinkedFile(visitor(), { token: order.token, userAgent: 'test' })).toBe(`/o/${order.token}`)
  expect(await db().download.count({ where: { orderId: order.id } })).toBe(0)
})
