// Tests what a buyer's emails about an order contain besides sentences: the photo, the address, and whom to ask.
import { photoOfMail } from '@/lib/drops/mails'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { brand } from '@/lib/kernel/brand'
import type { MailContent } from '@/lib/notifications/compose-mail'
import { mailHtml } from '@/lib/notifications/mail-html'
import { addressLine } from '@/lib/orders/address-rules'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const image = { width: 900, height: 600, widths: [480, 750, 900], placeholder: 'data:,' }

/** Sells one unit of a drop with two photos. @returns the order, the function that ships it and its emails by kind. */
async function sold(productType: 'physical' | 'digital') {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, productType, title: 'Mug "No. 4" & saucer' })
  const keys = ['second', 'first'].map((name) => `drops/${drop.uniqueId}-${name}`)
  await db().dropImage.createMany({
    data: keys.map((key, at) => ({ ...image, key, dropId: drop.id, position: 1 - at })),
  })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const ctx = contextFor(actorOf(seller))
  const mailOf = async (kind: string) => {
    const { text, content } = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `${kind}:${order.id}` } })
    return { text, content: content as unknown as MailContent }
  }
  const ship = () => markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })
  return { order, ship, mailOf, photo: `${ctx.appUrl}/media/${keys[1]}-480.webp` }
}

it('the receipt and the email about the parcel show the first photo in a small width, from our own address', async () => {
  const { ship, mailOf, photo } = await sold('physical')
  await ship()
  for (const kind of ['receipt', 'shipped']) {
    const { content } = await mailOf(kind)
    expect(content.photo).toEqual({ url: photo, alt: 'Mug "No. 4" & saucer' })
    const html = await mailHtml({ html: null, content })
    expect(html).toContain(`src="${photo}"`)
    expect(html).toContain('alt="Mug &quot;No. 4&quot; &amp; saucer"')
    expect(Buffer.byteLength(html)).toBeLessThan(100 * 1024)
  }
  expect(photoOfMail(null, 'Mug', 'http://x')).toEqual({})
})

it('the receipt of a parcel has its address, and that of a download has none', async () => {
  const parcel = await sold('physical')
  const line = addressLine(parcel.order)
  expect(parcel.order.shipLine1).toBeTruthy()
  const { text, content } = await parcel.mailOf('receipt')
  expect(content.facts).toContainEqual(['Ships to', line])
  expect(text).toContain(`Ships to: ${line}`)
  const download = await sold('digital')
  expect((await download.mailOf('receipt')).text).not.toContain('Ships to')
})

it('emails to a buyer say whom to ask, in the text too, and emails to the seller do not', async () => {
  const { mailOf } = await sold('digital')
  const line = `Questions? Message the seller on your order page, or write to ${brand.contact.support}.`
  expect((await mailOf('receipt')).text).toContain(line)
  expect((await mailOf('sale')).text).not.toContain('Questions?')
})
