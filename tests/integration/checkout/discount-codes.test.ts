import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newSecret, newId } from '@/lib/kernel/id'
import { splitAmount } from '@/lib/kernel/money'
import { discountOf } from '@/lib/drops/codes/code-rules'
import { endCode } from '@/lib/drops/codes/end-code'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { refundUnfulfillable } from '@/lib/refunds/refund-unfulfillable'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay, payEmbedded } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const job = () => systemContext('test')
const codeOf = (dropId: number) => db().discountCode.findFirstOrThrow({ where: { dropId } })
const uses = async (dropId: number) => (await codeOf(dropId)).used
const orderOf = (sessionId: string) => db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })

async function payAs(url: string, email: string) {
  const body = JSON.stringify({ email, cardNumber: '4242424242424242', name: 'Bea Buyer' })
  await standIn()!.pages(
    new Request(`${url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  )
}

async function buy(dropId: number, options: Parameters<typeof openCheckout>[1] = {}) {
  const opened = await openCheckout(dropId, { code: 'FRIENDS', ...options })
  await pay(opened.url)
  return { ...opened, outcome: await settleCheckout(job(), opened.sessionId) }
}

describe('the price with a code', () => {
  it('is charged by the hosted checkout, is the basis of fee and payout, and is the most that can be refunded', async () => {
    const { drop, seller } = await makeCodedDrop()
    const { sessionId, outcome } = await buy(drop.id, { code: ' friends ', quantity: 2 })
    expect(outcome).toBe('paid')
    const order = await orderOf(sessionId)
    expect(order).toMatchObject({
      ...{ discountCode: 'FRIENDS', discountCents: 960, unitPriceCents: 1920, amountCents: 3840 },
      ...splitAmount(3840, order.platformFeeBps),
    })
    const session = await stripe().checkout.sessions.retrieve(sessionId)
    expect([session.amount_total, session.metadata]).toMatchObject([
      3840,
      { discountCode: 'FRIENDS', discountCents: '960' },
    ])
    expect(session.custom_text.submit?.message).toContain('Code FRIENDS takes $9.60 off.')
    expect(await findBuyerOrder(db(), order.token)).toMatchObject({ discount: { code: 'FRIENDS', cents: 960 } })
    const refund = { orderId: order.id, refundId: newId('ref'), restockUnits: 2 }
    await expect(refundOrder(seller, { ...refund, amountCents: 3841 })).rejects.toMatchObject({
      code: 'REFUND_TOO_LARGE',
    })
    await refundOrder(seller, { ...refund, amountCents: 3840 })
    expect(await orderOf(sessionId)).toMatchObject({ status: 'refunded', refundedCents: 3840 })
    // The refund puts the units back on sale, but the code stays used.
    expect(await codeOf(drop.id)).toMatchObject({ used: 1, discountedCents: 960n })
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 0, held: 0 })
  })

  it('is charged by the embedded checkout', async () => {
    const { drop } = await makeCodedDrop({ offCents: 500 })
    const { clientSecret } = await startEmbeddedCheckout(visitor(), {
      dropId: drop.id,
      buyerToken: newSecret(),
      code: 'Friends',
    })
    const intent = await stripe().paymentIntents.retrieve(clientSecret.split('_secret_')[0] ?? '')
    expect([intent.amount, intent.metadata.discountCode]).toEqual([1900, 'FRIENDS'])
    await payEmbedded(clientSecret)
    expect(await settleCheckout(job(), intent.id)).toBe('paid')
    expect(await codeOf(drop.id)).toMatchObject({ used: 1, discountedCents: 500n })
  })

  it('is the same in the SQL statement that holds the units as in discountOf(), for many prices and percentages', async () => {
    for (const priceCents of [51, 99, 101, 333, 2495, 99_999_999]) {
      const drop = await makeDrop({ priceCents, quantity: 200 })
      for (let percent = 1; percent <= 90; percent += priceCents > 600 ? 1 : 7) {
        const off = discountOf(priceCents, { percent, offCents: null })
        if (priceCents - off < 50) continue
        const code = await db().discountCode.create({ data: { dropId: drop.id, code: `P-${percent}`, percent } })
        const hold = await takeHold(job(), {
          ...{ dropId: drop.id, quantity: 1, codeId: code.id, buyerKey: newSecret(), mode: 'hosted', holdMs: 60_000 },
        })
        expect([priceCents, percent, hold?.unitPriceCents, hold?.discountCents]).toEqual([
          ...[priceCents, percent, priceCents - off, off],
        ])
      }
    }
  })

  it('also applies when the buyer chooses a value of an option', async () => {
    const values = { create: [{ value: 'S', quantity: 1, position: 0 }] }
    const { drop } = await makeCodedDrop({ maxUses: 5 }, { quantity: 1, optionName: 'Size', values })
    const { sessionId, outcome } = await buy(drop.id, { selectedVariants: { Size: 's' } })
    expect(outcome).toBe('paid')
    expect(await orderOf(sessionId)).toMatchObject({ dropTitle: 'Test mug (Size S)', discountCents: 480 })
    expect(await uses(drop.id)).toBe(1)
  })
})

describe('a code that cannot be used', () => {
  it.each(['NOPE', 'x', "FRIENDS'; --", 'FRIENDS\u0000', 'Ⓕriends', '-'.repeat(90)])(
    'is refused when it is wrong or forged (%j), and no unit is held',
    async (code) => {
      const { drop } = await makeCodedDrop()
      await expect(openCheckout(drop.id, { code })).rejects.toMatchObject({ code: 'CODE_UNKNOWN', field: 'code' })
      expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
    },
  )

  it('is refused with the reason that it is for another drop, has ended or is used up', async () => {
    const { drop, seller, code } = await makeCodedDrop({ maxUses: 1 })
    const other = await makeDrop({ userId: drop.userId })
    await expect(openCheckout(other.id, { code: 'FRIENDS' })).rejects.toMatchObject({
      code: 'CODE_OTHER_DROP',
      message: expect.stringContaining('for another drop of this seller'),
    })
    await openCheckout(drop.id, { code: 'FRIENDS' })
    await expect(openCheckout(drop.id, { code: 'FRIENDS' })).rejects.toMatchObject({ code: 'CODE_USED_UP' })
    await endCode(seller, { dropId: drop.id, codeId: code.id })
    await expect(openCheckout(drop.id, { code: 'FRIENDS' })).rejects.toMatchObject({ code: 'CODE_ENDED' })
    const past = await makeCodedDrop({ endsAt: new Date(Date.now() - 1000) })
    await expect(openCheckout(past.drop.id, { code: 'FRIENDS' })).rejects.toMatchObject({ code: 'CODE_ENDED' })
    // The buyer can still check out without the code.
    await openCheckout(drop.id)
  })
})

describe('while a process of an older version is running', () => {
  it('a hold is released even if the older process did not count its use of a code', async () => {
    const { drop } = await makeCodedDrop()
    const { sessionId } = await openCheckout(drop.id, { code: 'FRIENDS' })
    await db().discountCode.updateMany({ where: { dropId: drop.id }, data: { used: 0 } })
    expect(await releaseHold(job(), (await orderOf(sessionId)).holdId, 'expired')).toBe(true)
    expect(await uses(drop.id)).toBe(0)
  })

  it('a code is refused if the older process lowered the price too far for the code', async () => {
    const { drop, code } = await makeCodedDrop({ offCents: 1000 })
    await db().drop.update({ where: { id: drop.id }, data: { priceCents: 1049 } })
    await expect(openCheckout(drop.id, { code: 'FRIENDS' })).rejects.toMatchObject({
      ...{ code: 'CODE_ENDED', field: 'code', message: expect.stringContaining('would bring the price below') },
    })
    const buyer = { buyerKey: newSecret(), mode: 'hosted', holdMs: 60_000 } as const
    const take = () => takeHold(job(), { dropId: drop.id, quantity: 1, codeId: code.id, ...buyer })
    expect(await take()).toBeNull()
    await db().drop.update({ where: { id: drop.id }, data: { priceCents: 1050 } })
    expect(await take()).toMatchObject({ unitPriceCents: 50 })
  })
})

describe('the uses of a code', () => {
  it('are released when a checkout ends, and the same buyer may change the order or remove the code', async () => {
    const { drop } = await makeCodedDrop({ maxUses: 1 })
    const buyerToken = newSecret()
    const first = await openCheckout(drop.id, { code: 'FRIENDS', buyerToken })
    expect((await openCheckout(drop.id, { code: 'friends', buyerToken })).url).toBe(first.url)
    expect(await uses(drop.id)).toBe(1)
    const more = await openCheckout(drop.id, { code: 'FRIENDS', buyerToken, quantity: 2 })
    expect([more.url === first.url, await uses(drop.id)]).toEqual([false, 1])
    // A request without a code keeps the code of the open checkout. A request with an empty code removes that code.
    expect((await openCheckout(drop.id, { buyerToken, quantity: 2 })).url).toBe(more.url)
    const without = await openCheckout(drop.id, { code: '', buyerToken, quantity: 2 })
    expect([(await orderOf(without.sessionId)).discountCode, await uses(drop.id)]).toEqual([null, 0])
    const { holdId } = await orderOf((await openCheckout(drop.id, { code: 'FRIENDS' })).sessionId)
    await releaseHold(job(), holdId, 'expired')
    await releaseHold(job(), holdId, 'expired')
    expect(await uses(drop.id)).toBe(0)
  })

  it('are taken again by a late payment if one is left, and otherwise the payment is refunded', async () => {
    const { drop } = await makeCodedDrop({ maxUses: 1 })
    const late = await openCheckout(drop.id, { code: 'FRIENDS' })
    await releaseHold(job(), (await orderOf(late.sessionId)).holdId, 'yielded')
    await pay(late.url)
    expect(await settleCheckout(job(), late.sessionId)).toBe('paid')
    expect(await codeOf(drop.id)).toMatchObject({ used: 1, discountedCents: 480n })

    const again = await makeCodedDrop({ maxUses: 1 })
    const slow = await openCheckout(again.drop.id, { code: 'FRIENDS' })
    await releaseHold(job(), (await orderOf(slow.sessionId)).holdId, 'yielded')
    expect((await buy(again.drop.id)).outcome).toBe('paid')
    await pay(slow.url)
    expect(await settleCheckout(job(), slow.sessionId)).toBe('refunded')
    const { id } = await orderOf(slow.sessionId)
    expect(await db().refund.findFirst({ where: { orderId: id } })).toMatchObject({
      ...{ reason: 'discount code used up', amountCents: 1920, state: 'succeeded' },
    })
    const [mail] = await db().outboxMail.findMany({ where: { dedupeKey: `late-refund:${id}` } })
    // This text is true both for a hold that expired and for a hold whose units were released before it expired.
    expect(mail?.text).toContain('was no longer reserved, and the code FRIENDS had been used')
    expect(await codeOf(again.drop.id)).toMatchObject({ used: 1, discountedCents: 480n })
  })

  it('are limited per buyer by mailbox and card when the payment settles, even for simultaneous payments', async () => {
    const { drop } = await makeCodedDrop({ perBuyer: 1, maxUses: 10 })
    const open = await Promise.all(Array.from({ length: 4 }, () => openCheckout(drop.id, { code: 'FRIENDS' })))
    for (const [at, { url }] of open.entries()) await payAs(url, `bea+${at}@example.com`)
    const outcomes = await Promise.all(open.map(({ sessionId }) => settleCheckout(job(), sessionId)))
    expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1)
    for (const { orderId } of await db().refund.findMany({ where: { state: 'pending' } })) {
      await refundUnfulfillable(job(), orderId)
    }
    expect(await codeOf(drop.id)).toMatchObject({ used: 1, discountedCents: 480n })
    const refunds = await db().refund.findMany({ where: { order: { dropId: drop.id } } })
    expect(new Set(refunds.map(({ reason, amountCents }) => `${reason} ${amountCents}`))).toEqual(
      new Set(['above the limit per buyer of the discount code 1920']),
    )
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 1, held: 0 })
    // Without the code the same buyer may buy more.
    expect((await buy(drop.id, { code: '' })).outcome).toBe('paid')
  })

  it('are refused before the payment in a browser that has used the code up to the limit per buyer', async () => {
    const { drop } = await makeCodedDrop({ perBuyer: 1, maxUses: 10 })
    const buyer = { code: 'FRIENDS', buyerToken: newSecret() }
    const { url, sessionId } = await openCheckout(drop.id, buyer)
    await pay(url)
    expect(await settleCheckout(job(), sessionId)).toBe('paid')
    await expect(openCheckout(drop.id, buyer)).rejects.toMatchObject({
      code: 'CODE_USED_UP',
      message: expect.stringMatching(/^You've already used “FRIENDS” as often as its seller allows/),
    })
    expect((await openCheckout(drop.id, { ...buyer, code: '' })).url).toContain('/checkout/')
  })

  it('are not lost when Stripe does not respond, so the same buyer can use the code again', async () => {
    const { drop } = await makeCodedDrop({ maxUses: 1 })
    const buyerToken = newSecret()
    const fault = { kind: 'reset-after-commit', path: '/v1/checkout/sessions', remaining: 3, delayMs: 0 } as const
    await standIn()!.setFaults({ api: fault, deliveries: null })
    await expect(openCheckout(drop.id, { code: 'FRIENDS', buyerToken })).rejects.toMatchObject({ code: 'STRIPE_AWAY' })
    expect(await uses(drop.id)).toBe(0)
    await standIn()!.setFaults({ api: null, deliveries: null })
    const { sessionId } = await openCheckout(drop.id, { code: 'FRIENDS', buyerToken })
    expect([await uses(drop.id), (await orderOf(sessionId)).amountCents]).toEqual([1, 1920])
  })
})
