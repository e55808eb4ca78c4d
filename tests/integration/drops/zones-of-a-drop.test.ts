import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { createDrop } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { createDropSchema, editDropSchema } from '@/lib/drops/schema'
import { zoneTexts } from '@/lib/drops/delivery/zone-messages'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { splitAmount } from '@/lib/kernel/money'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay, startBuying } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const typed = JSON.stringify([
  { surcharge: '0', countries: ['US'] },
  { surcharge: '6', countries: ['DE', 'FR'] },
])
const zones = [
  { cents: 0, countries: ['US'] },
  { cents: 600, countries: ['DE', 'FR'] },
]
type Seller = Awaited<ReturnType<typeof makeSeller>>
const as = (seller: Seller) => contextFor(actorOf(seller))
const zonesOf = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).shippingZones

async function publish(seller: Seller, fields: object) {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-photos-')), 'photo.jpg')
  await sharp({ create: { width: 120, height: 150, channels: 3, background: '#1b7f4b' } }).toFile(file)
  const form = { title: 'Mug', description: 'A mug.', price: '24', duration: '48', quantity: '5', ...fields }
  const images = [{ path: file, fileName: 'photo.jpg', field: 'image0' }]
  return createDrop(as(seller), { fields: createDropSchema(['image0']).parse(form), images })
}

/** Makes a drop that starts in an hour. */
async function scheduled(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller({ plan: 'pro' })
  const [startedAt, endTime] = [new Date(Date.now() + HOUR_MS), new Date(Date.now() + DAY_MS)]
  const drop = await makeDrop({ userId: seller.id, startedAt, endTime, ...overrides })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, startedAt, endTime } })
  const edit = (fields: object) =>
    editDrop(as(seller), { dropId: drop.id, fields: editDropSchema.parse(fields), images: [] })
  return { drop, seller, edit }
}

it('a new drop has the zones of the form, and a service has none', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  expect(await publish(seller, { shippingZones: typed })).toMatchObject({ shippingZones: zones })
  expect(await publish(seller, { shippingZones: '' })).toMatchObject({ shippingZones: null })
  expect(await publish(seller, { shippingZones: typed, productType: 'service' })).toMatchObject({ shippingZones: null })
})

it('the zones can change until the start and not afterwards, and the refusal has its own message', async () => {
  const { drop, edit } = await scheduled({ shippingZones: zones })
  await edit({ shippingZones: [{ surcharge: '7.50', countries: ['PT'] }] })
  expect(await zonesOf(drop.id)).toEqual([{ cents: 750, countries: ['PT'] }])
  await edit({ price: '30' })
  expect(await zonesOf(drop.id)).toEqual([{ cents: 750, countries: ['PT'] }])
  await expect(edit({ price: '999999.99' })).rejects.toMatchObject({
    code: 'SURCHARGE_TOO_HIGH',
    field: 'shippingZones',
  })
  await edit({ productType: 'service' })
  expect(await zonesOf(drop.id)).toBeNull()
  await edit({ productType: 'physical', shippingZones: typed })
  expect(await zonesOf(drop.id)).toEqual(zones)
  await edit({ shippingZones: [] })
  expect(await zonesOf(drop.id)).toBeNull()

  const live = await scheduled({ shippingZones: zones, startedAt: new Date(Date.now() - HOUR_MS) })
  await expect(live.edit({ shippingZones: '' })).rejects.toMatchObject({
    ...{ code: 'STARTED', field: 'shippingZones', message: zoneTexts.fixed },
  })
  expect(await zonesOf(live.drop.id)).toEqual(zones)
})

it('a relaunched drop keeps its zones, and charges for them', async () => {
  const { drop, seller } = await scheduled({ shippingZones: zones, startedAt: new Date(Date.now() - HOUR_MS) })
  await endDrop(as(seller), { dropId: drop.id })
  await db().drop.update({ where: { id: drop.id }, data: { endTime: new Date(Date.now() - 2 * DAY_MS) } })
  await relaunchDrop(as(seller), { dropId: drop.id, duration: 24 })
  const { sessionId } = await openCheckout(drop.id, { country: 'DE' })
  expect((await stripe().checkout.sessions.retrieve(sessionId)).amount_total).toBe(3000)
})

describe('a unit that is offered to the waitlist', () => {
  let count = 0

  /** Makes a drop whose only unit is offered to someone, and returns the secret of the claim. */
  async function offered() {
    const drop = await makeDrop({ quantity: 1, shippingZones: zones })
    await startBuying(visitor(), { dropId: drop.id, quantity: 1, buyerToken: newSecret(), country: 'DE' })
    const email = `z${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
    const secretOf = async (link: RegExp) => {
      const [mail] = await db().outboxMail.findMany({ where: { to: email }, orderBy: { id: 'desc' }, take: 1 })
      return link.exec(mail?.text ?? '')?.[1] ?? 'none'
    }
    await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
    await confirmWaitlist(visitor(), await secretOf(/\/remind\/confirm\?token=(\w+)/))
    const { token } = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
    await cancelCheckout(visitor(), token)
    expect(await offerFreedUnits(systemContext('waitlist'))).toBe(1)
    return { drop, secret: await secretOf(/\/claim\/(\w+)/) }
  }
  const newest = (dropId: number) => db().order.findFirstOrThrow({ where: { dropId }, orderBy: { createdAt: 'desc' } })

  it('gets its country and its surcharge with the claim, once', async () => {
    const { drop, secret } = await offered()
    expect(await newest(drop.id)).toMatchObject({ shipsTo: null, amountCents: 2400 })
    await expect(claimUnit(visitor(), secret)).rejects.toMatchObject({ code: 'COUNTRY_MISSING' })
    await expect(claimUnit(visitor(), secret, 'JP')).rejects.toMatchObject({ code: 'COUNTRY_REFUSED' })
    const urls = await Promise.all(['FR', 'US', 'FR'].map((country) => claimUnit(visitor(), secret, country)))
    expect(new Set([...urls, await claimUnit(visitor(), secret, 'US')]).size).toBe(1)
    const order = await newest(drop.id)
    const amountCents = order.shipsTo === 'FR' ? 3000 : 2400
    expect(order).toMatchObject({ amountCents, ...splitAmount(amountCents, order.platformFeeBps) })
    const sessionId = new URL(urls[0]!).pathname.split('/').at(-1) ?? ''
    const session = await stripe().checkout.sessions.retrieve(sessionId)
    expect(session).toMatchObject({
      amount_total: amountCents,
      shipping_address_collection: { allowed_countries: [order.shipsTo] },
    })
    await pay(urls[0]!)
    expect(await settleCheckout(systemContext('test'), sessionId)).toBe('paid')
  })
})
