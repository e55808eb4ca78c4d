import { closeDatabase, database, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { MINUTE_MS } from '@/lib/kernel/time'
import { changeAddress, undoAddress } from '@/lib/shipping/change-address'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { evidenceOf } from '@/lib/refunds/evidence-of'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { noteSlipsPrinted } from '@/lib/shipping/note-slips-printed'
import { findBuyerOrder } from '@/lib/orders/queries'
import { addressDetailsSchema, changeAddressSchema } from '@/lib/orders/address-schema'
import { findOrderRecord, findOrderToShip } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { newSecret } from '@/lib/kernel/id'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { payEmbedded } from '@/tests/support/shop'
import { readOrdersCsv } from '@/tests/support/read-exports'

examineMoneyAfterEach()
afterAll(closeDatabase)

const lisbon = {
  ...{ name: 'Bea Costa', line1: 'Rua Nova 5', line2: '2D', city: 'Lisbon', state: '', postalCode: '1200-001' },
  ...{ country: 'PT' as const, phone: '+351 555 0100' },
}

async function paidOrder() {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const { clientSecret } = await startEmbeddedCheckout(visitor(), { dropId: drop.id, buyerToken: newSecret() })
  await payEmbedded(clientSecret)
  await settleCheckout(systemContext('test'), clientSecret.split('_secret_')[0]!)
  const { id, token } = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  return { id, token, seller, ctx: contextFor(actorOf(seller)) }
}

const change = (token: string, fields: Partial<typeof lisbon> = {}) =>
  changeAddress(visitor(), changeAddressSchema.parse({ token, ...lisbon, ...fields }))
const orderOf = (id: string) => db().order.findUniqueOrThrow({ where: { id }, include: { addressChanges: true } })

it('changes the address once, emails buyer and seller, and every list and file has the new address', async () => {
  const { id, token, seller } = await paidOrder()
  expect([await change(token), await change(token)]).toEqual([true, false])
  const order = await orderOf(id)
  expect(order).toMatchObject({ shipName: 'Bea Costa', shipCountry: 'PT', buyerPhone: '+351 555 0100' })
  expect(order.addressChanges).toMatchObject([
    { version: 1, before: { shipCity: 'London' }, after: { shipCity: 'Lisbon' } },
  ])
  for (const to of ['bea@example.com', seller.email]) {
    const mails = await db().outboxMail.findMany({ where: { dedupeKey: { contains: `${id}:1` } } })
    expect(mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase())).toHaveLength(1)
    expect(mails[0]!.text).toMatch(/Lisbon[^]*London/)
  }
  const [slip] = await findOrderToShip(database(), seller.id, id)
  expect(slip?.address?.lines).toEqual(['Rua Nova 5', '2D', 'Lisbon, 1200-001'])
  expect(await readOrdersCsv(database(), seller.id)).toContain('Rua Nova 5, 2D, Lisbon')
  const note = 'New: Bea Costa, Rua Nova 5, 2D, Lisbon, 1200-001, Portugal. Old: '
  const view = await findBuyerOrder(db(), token)
  expect(view?.timeline.at(-1)).toMatchObject({
    text: 'Address changed',
    note: expect.stringContaining(note) as string,
  })
  const evidence = evidenceOf((await findOrderRecord(db(), id))!, '', 'http://localhost')
  expect([evidence.shipping_address, evidence.uncategorized_text]).toEqual([
    expect.stringContaining('Rua Nova 5'),
    expect.stringContaining('1 Long Lane'),
  ])
  // The search of orders finds the new address.
  expect((await orderOf(id)).searchText).toContain('bea costa')
})

it('a change can be undone once, within ten minutes', async () => {
  const { id, token } = await paidOrder()
  await expect(undoAddress(visitor(), { token })).rejects.toMatchObject({ code: 'UNDO_OVER' })
  await change(token)
  for (const _press of [1, 2]) await undoAddress(visitor(), { token })
  expect(await orderOf(id)).toMatchObject({ shipCity: 'London', shipCountry: 'GB', addressVersion: 2 })
  await change(token)
  const old = new Date(Date.now() - 10 * MINUTE_MS)
  await db().addressChange.updateMany({ where: { orderId: id }, data: { createdAt: old } })
  await expect(undoAddress(visitor(), { token })).rejects.toMatchObject({ code: 'UNDO_OVER' })
  expect(await orderOf(id)).toMatchObject({ shipCity: 'Lisbon', addressVersion: 3 })
})

it('a change is refused after ten changes, and once the order is shipped', async () => {
  const { id, token, ctx } = await paidOrder()
  for (let at = 1; at <= 10; at += 1) await change(token, { line1: `Rua Nova ${at}` })
  await expect(change(token, { line1: 'Rua Nova 11' })).rejects.toMatchObject({ code: 'ADDRESS_OFTEN' })
  await undoAddress(visitor(), { token })
  expect(await orderOf(id)).toMatchObject({ shipLine1: 'Rua Nova 9', addressVersion: 11 })
  await expect(change(token, { line1: 'Rua Nova 12' })).rejects.toMatchObject({ code: 'ADDRESS_OFTEN' })
  await markShipped(ctx, { orderId: id, carrier: '', trackingNumber: '' })
  await expect(change(token)).rejects.toMatchObject({ code: 'ADDRESS_FIXED' })
  await expect(undoAddress(visitor(), { token })).rejects.toMatchObject({ code: 'ADDRESS_FIXED' })
  expect((await findBuyerOrder(db(), token))?.addressForm).toBeNull()
  const bypass = db().order.update({ where: { id }, data: { shipCity: 'Porto', addressVersion: 12 } })
  await expect(bypass).rejects.toThrow(/cannot change any more/)
  await expect(change(newSecret())).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('accepts only addresses that the checkout would accept', () => {
  expect(addressDetailsSchema.safeParse(lisbon).success).toBe(true)
  for (const wrong of [
    { country: 'BR' },
    { line1: ' ' },
    { city: '' },
    { postalCode: '' },
    { phone: 'x' },
    { name: '' },
  ]) {
    expect(addressDetailsSchema.safeParse({ ...lisbon, ...wrong }).success).toBe(false)
  }
})

it('a parcel is not marked as shipped if the seller has not seen its newest address', async () => {
  const { id, token, ctx } = await paidOrder()
  await change(token)
  const ship = { orderId: id, carrier: '', trackingNumber: '' }
  await expect(markShipped(ctx, { ...ship, addressVersion: 0 })).rejects.toMatchObject({ code: 'ADDRESS_CHANGED' })
  await markShipped(ctx, { ...ship, addressVersion: 1 })
})

it('when an address is changed and its order is shipped at the same moment, only one of the two succeeds', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, token, ctx } = await paidOrder()
    const ship = markShipped(ctx, { orderId: id, carrier: '', trackingNumber: '', addressVersion: 0 })
    const [shipped, changed] = await Promise.allSettled([ship, change(token)])
    const order = await orderOf(id)
    expect([shipped.status, changed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(order).toMatchObject(
      shipped.status === 'fulfilled'
        ? { status: 'shipped', shipCity: 'London', addressVersion: 0 }
        : { status: 'paid', shipCity: 'Lisbon', addressVersion: 1 },
    )
  }
})

it('reports a printed slip as outdated until it is printed again', async () => {
  const { id, token, seller, ctx } = await paidOrder()
  const isOutdated = async () => (await getSellerOrder(ctx, seller.id, id)).isSlipOutdated
  await noteSlipsPrinted(ctx, { slips: [{ id, version: 0 }] })
  expect(await isOutdated()).toBe(false)
  await change(token)
  expect(await isOutdated()).toBe(true)
  const mail = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `address-seller:${id}:1` } })
  expect(mail.text).toContain('already printed a packing slip')
  const stranger = contextFor(actorOf(await makeSeller()))
  await noteSlipsPrinted(stranger, { slips: [{ id, version: 1 }] })
  expect(await isOutdated()).toBe(true)
  await noteSlipsPrinted(ctx, {
    slips: [
      { id, version: 1 },
      { id, version: 7 },
    ],
  })
  expect(await isOutdated()).toBe(false)
})
