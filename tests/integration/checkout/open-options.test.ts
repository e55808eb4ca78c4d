// Tests how units of an open edition with sizes are held, sold, refunded and offered again. All sizes share the cap.
import { systemContext } from '@/lib/infra/context'
import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId, newSecret } from '@/lib/kernel/id'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { refundOrder } from '@/lib/refunds/refund-order'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay, payAndSettle, startBuying } from '@/tests/support/shop'
import { stockText } from '@/tests/support/stock-text'

examineMoneyAfterEach()
afterAll(async () => {
  await flushCollectors()
  await closeDatabase()
})

const SIZES = ['S', 'M', 'L'] as const
const job = () => systemContext('test')

async function makeOpen(quantity: number, overrides: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller()
  const values = { create: SIZES.map((value, position) => ({ value, position, quantity })) }
  const edition = { isOpenEdition: true, isNumbered: false, optionName: 'Size', quantity, values, userId: seller.id }
  const drop = await makeDrop({ ...edition, ...overrides })
  const { id: dropId, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime, firstEndTime: endTime } })
  return { drop, ctx: contextFor(actorOf(seller)) }
}

/** Opens a checkout for a size as a new buyer. */
async function open(dropId: number, size: string, more: { quantity?: number; code?: string } = {}) {
  const buyer = { quantity: 1, buyerToken: newSecret(), selectedVariants: { Size: size }, ...more, dropId }
  let started = await startBuying(visitor(), buyer)
  while (!('url' in started)) started = await startBuying(visitor(), buyer)
  const sessionId = new URL(started.url).pathname.split('/').at(-1) ?? ''
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { url: started.url, sessionId, order }
}

async function buy(dropId: number, size: string, more: { quantity?: number; code?: string } = {}) {
  const opened = await open(dropId, size, more)
  await payAndSettle(opened.url, opened.sessionId)
  return db().order.findUniqueOrThrow({ where: { id: opened.order.id } })
}

it('a hold, its end, a payment and a refund move the size and the total together', async () => {
  const { drop, ctx } = await makeOpen(20)
  const held = await open(drop.id, 'M', { quantity: 3 })
  expect(await stockText(drop.id)).toBe('S 0/0 of 20, M 0/3 of 20, L 0/0 of 20, 0/3 of 20')
  await cancelCheckout(visitor(), held.order.token)
  const order = await buy(drop.id, 'M', { quantity: 2 })
  await buy(drop.id, 'S')
  expect(await stockText(drop.id)).toBe('S 1/0 of 20, M 2/0 of 20, L 0/0 of 20, 3/0 of 20')
  expect(order).toMatchObject({ dropTitle: 'Test mug (Size M)', optionName: 'Size', optionValue: 'M' })
  const refund = { orderId: order.id, refundId: newId('ref'), amountCents: 2400, restockUnits: 1 }
  expect(await refundOrder(ctx, refund)).toBe('succeeded')
  expect(await stockText(drop.id)).toBe('S 1/0 of 20, M 1/0 of 20, L 0/0 of 20, 2/0 of 20')
})

it('the texts of a refusal speak of all units, because no size is sold out by itself', async () => {
  const { drop } = await makeOpen(3)
  await buy(drop.id, 'S', { quantity: 1 })
  await open(drop.id, 'M')
  await expect(open(drop.id, 'L', { quantity: 2 })).rejects.toMatchObject({ code: 'NOT_ENOUGH_LEFT' })
  await open(drop.id, 'M')
  await expect(open(drop.id, 'L')).rejects.toMatchObject({ code: 'ALL_IN_CHECKOUT' })
  await expect(open(drop.id, 'XXL')).rejects.toMatchObject({ code: 'OPTION_UNKNOWN' })
  const { drop: full } = await makeOpen(1)
  await buy(full.id, 'S')
  await expect(open(full.id, 'S')).rejects.toMatchObject({ code: 'SOLD_OUT' })
  await expect(open(full.id, 'L')).rejects.toMatchObject({ code: 'SOLD_OUT' })
})

it('a discount code and the limit per buyer apply to all sizes', async () => {
  const { drop } = await makeOpen(20, { maxPerBuyer: 2 })
  await db().discountCode.create({ data: { dropId: drop.id, code: 'FRIEND', percent: 50, maxUses: 2 } })
  expect(await buy(drop.id, 'L', { code: 'friend' })).toMatchObject({ amountCents: 1200, optionValue: 'L' })
  expect(await stockText(drop.id)).toBe('S 0/0 of 20, M 0/0 of 20, L 1/0 of 20, 1/0 of 20')
  await expect(open(drop.id, 'S', { quantity: 3 })).rejects.toMatchObject({ code: 'ABOVE_LIMIT' })
})

it('a payment for a unit that was given back gets one that another size has in checkout', async () => {
  const { drop } = await makeOpen(1)
  const late = await open(drop.id, 'S')
  await releaseHold(visitor(), late.order.holdId, 'yielded')
  const other = await open(drop.id, 'L')
  await db().hold.update({ where: { id: other.order.holdId }, data: { isContested: true } })
  await pay(late.url)
  expect(await settleCheckout(job(), late.sessionId)).toBe('paid')
  expect(await stockText(drop.id)).toBe('S 1/0 of 1, M 0/0 of 1, L 0/0 of 1, 1/0 of 1')
})

it('a late payment is refunded when another size has taken the last unit', async () => {
  const { drop } = await makeOpen(1)
  const late = await open(drop.id, 'S')
  await releaseHold(visitor(), late.order.holdId, 'yielded')
  await buy(drop.id, 'M')
  await pay(late.url)
  expect(await settleCheckout(job(), late.sessionId)).toBe('refunded')
  expect(await stockText(drop.id)).toBe('S 0/0 of 1, M 1/0 of 1, L 0/0 of 1, 1/0 of 1')
})

describe('the waitlist of an edition whose units are all in checkout', () => {
  let count = 0
  async function wait(uniqueId: string, option: string): Promise<string> {
    const email = `e${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
    await joinWaitlist(visitor(), { identifier: uniqueId, email, option })
    const { text } = await db().outboxMail.findFirstOrThrow({ where: { to: email } })
    await confirmWaitlist(visitor(), /\/remind\/confirm\?token=(\w+)/.exec(text)?.[1] ?? '')
    return email
  }
  const subjectsTo = async (to: string) =>
    (await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })).map(({ subject }) => subject)

  it('is one line for all sizes, so a free unit is offered once, to the person who has waited longest', async () => {
    const { drop } = await makeOpen(2)
    const held = [await open(drop.id, 'S'), await open(drop.id, 'S')]
    const [first, second, third] = [
      await wait(drop.uniqueId, 'L'),
      await wait(drop.uniqueId, 'M'),
      await wait(drop.uniqueId, 'L'),
    ]
    await cancelCheckout(visitor(), held[0]!.order.token)
    expect(await offerFreedUnits(job())).toBe(1)
    expect(await subjectsTo(first)).toContain('Reserved for you: Test mug (Size L)')
    await cancelCheckout(visitor(), held[1]!.order.token)
    expect(await offerFreedUnits(job())).toBe(1)
    expect(await subjectsTo(second)).toContain('Reserved for you: Test mug (Size M)')
    expect(await subjectsTo(third)).toHaveLength(1)
    expect(await stockText(drop.id)).toBe('S 0/0 of 2, M 0/1 of 2, L 0/1 of 2, 0/2 of 2')
  })

  it('skips a person whose size was removed, who would otherwise keep everyone behind from an offer', async () => {
    const { drop } = await makeOpen(1)
    const held = await open(drop.id, 'S')
    const [first, second] = [await wait(drop.uniqueId, 'M'), await wait(drop.uniqueId, 'L')]
    await db().optionValue.deleteMany({ where: { dropId: drop.id, value: 'M' } })
    await cancelCheckout(visitor(), held.order.token)
    expect(await offerFreedUnits(job())).toBe(1)
    expect(await subjectsTo(first)).toHaveLength(1)
    expect(await subjectsTo(second)).toContain('Reserved for you: Test mug (Size L)')
  })

  it('leaves a unit to the public after two unpaid offers, whatever sizes they were for', async () => {
    const { drop } = await makeOpen(1)
    const held = await open(drop.id, 'S')
    for (const size of ['L', 'M', 'S']) await wait(drop.uniqueId, size)
    await cancelCheckout(visitor(), held.order.token)
    for (const offers of [1, 1, 0]) {
      expect(await offerFreedUnits(job())).toBe(offers)
      const [offered] = await database().sql.unprepared<{ id: string }>(
        `SELECT "id" FROM "Hold" WHERE "dropId" = :dropId AND "state" = 'held'`,
        { dropId: drop.id },
      )
      if (offered) await releaseHold(job(), offered.id, 'expired')
    }
  })
})
