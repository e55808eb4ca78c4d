import { makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, pay, startBuying } from '@/tests/support/shop'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newId, newSecret } from '@/lib/kernel/id'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { findBuyerOrder } from '@/lib/orders/queries'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { restockUnits } from '@/lib/refunds/restock-units'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { systemContext } from '@/lib/infra/context'
import { RUSH_SECONDS } from '@/lib/stock/rules'
import { outcomesOf } from './hold-support'

examineMoneyAfterEach()
afterAll(closeDatabase)

type Units = Record<string, number>

/** Creates a live drop whose option has these values, each with its number of units. */
function makeSized(units: Units, overrides: Parameters<typeof makeDrop>[0] = {}, optionName = 'Size') {
  const values = Object.entries(units).map(([value, quantity], position) => ({ value, quantity, position }))
  const quantity = values.reduce((sum, value) => sum + value.quantity, 0)
  return makeDrop({ quantity, optionName, values: { create: values }, ...overrides })
}

/** Returns the stock of each value, and that of the drop as `sum`, in the form "sold/held of quantity". */
async function stockOf(id: number): Promise<Record<string, string>> {
  const drop = await db().drop.findUniqueOrThrow({
    where: { id },
    include: { values: { orderBy: { position: 'asc' } } },
  })
  const text = ({ sold, held, quantity }: { sold: number; held: number; quantity: number }) =>
    `${sold}/${held} of ${quantity}`
  return { ...Object.fromEntries(drop.values.map((value) => [value.value, text(value)])), sum: text(drop) }
}

const idsOf = async (dropId: number) =>
  Object.fromEntries((await db().optionValue.findMany({ where: { dropId } })).map(({ value, id }) => [value, id]))

/** Opens a hosted checkout for one value, and returns its session and the token of the order page. */
async function open(
  dropId: number,
  size: string | undefined,
  { quantity = 1, buyerToken = newSecret(), name = 'Size' } = {},
) {
  const selectedVariants = size === undefined ? {} : { [name]: size }
  const started = await startBuying(visitor(), { dropId, quantity, buyerToken, selectedVariants })
  if (!('url' in started)) throw new Error('the buyer has to wait in line')
  const sessionId = new URL(started.url).pathname.split('/').at(-1) ?? ''
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { url: started.url, sessionId, order }
}

/** Opens a checkout for one value, pays it and settles it. */
async function buy(dropId: number, size: string, options: Parameters<typeof open>[2] = {}) {
  const opened = await open(dropId, size, options)
  await pay(opened.url)
  expect(await settleCheckout(visitor(), opened.sessionId)).toBe('paid')
  return opened
}

describe('choosing a value', () => {
  it('fails with its own error for a missing, unknown or scarce value, and holds nothing', async () => {
    const drop = await makeSized({ S: 1, M: 2 })
    const ask = (selectedVariants: Record<string, string>, quantity = 1) =>
      startBuying(visitor(), { dropId: drop.id, quantity, buyerToken: newSecret(), selectedVariants })
    await expect(ask({})).rejects.toMatchObject({
      code: 'OPTION_MISSING',
      status: 400,
      message: 'Please choose a Size.',
    })
    await expect(ask({ Size: ' ' })).rejects.toMatchObject({ code: 'OPTION_MISSING', field: 'selectedVariants' })
    await expect(ask({ Size: 'XXL' })).rejects.toMatchObject({
      code: 'OPTION_UNKNOWN',
      status: 400,
      message: "This drop doesn't come in “XXL”. Please choose another Size.",
    })
    await expect(ask({ Color: 'M' })).rejects.toMatchObject({ code: 'OPTION_UNKNOWN', status: 400 })
    await expect(ask({ Size: 'S', Color: 'red' })).rejects.toMatchObject({ code: 'OPTION_UNKNOWN', status: 400 })
    await expect(ask({ Size: 'S', size: 'M' })).rejects.toMatchObject({ code: 'OPTION_UNKNOWN', status: 400 })
    await expect(ask({ Size: 'S' }, 2)).rejects.toMatchObject({
      code: 'NOT_ENOUGH_LEFT',
      message: 'Only 1 of S is left. Please choose fewer.',
    })
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 1', M: '0/0 of 2', sum: '0/0 of 3' })
  })

  it('fails with its own error when the value is in checkout or sold out, although other values are left', async () => {
    const drop = await makeSized({ S: 1, M: 2 })
    const { url, sessionId } = await open(drop.id, 's')
    await expect(open(drop.id, 'S')).rejects.toMatchObject({
      code: 'OPTION_IN_CHECKOUT',
      status: 409,
      message: "Every remaining S is in someone's checkout. One may free up in a few minutes.",
    })
    await pay(url)
    await settleCheckout(visitor(), sessionId)
    await expect(open(drop.id, 'S')).rejects.toMatchObject({
      code: 'OPTION_SOLD_OUT',
      status: 409,
      message: 'S is sold out.',
    })
    expect(await stockOf(drop.id)).toEqual({ S: '1/0 of 1', M: '0/0 of 2', sum: '1/0 of 3' })
  })

  it('fails for a drop without options in both checkout modes', async () => {
    const drop = await makeDrop()
    const selectedVariants = { size: 'M' }
    const refused = { code: 'NO_OPTIONS', status: 400, message: 'This drop has no options to choose from.' }
    const buyer = { dropId: drop.id, buyerToken: newSecret(), selectedVariants }
    await expect(startBuying(visitor(), { ...buyer, quantity: 1 })).rejects.toMatchObject(refused)
    await expect(startEmbeddedCheckout(visitor(), buyer)).rejects.toMatchObject(refused)
  })

  it('returns the open checkout for the same value, and closes it for another value', async () => {
    const drop = await makeSized({ S: 1, M: 1 })
    const buyerToken = newSecret()
    const first = await open(drop.id, 'S', { buyerToken })
    expect((await open(drop.id, 'S', { buyerToken })).sessionId).toBe(first.sessionId)
    // A request without a value gets the open checkout.
    expect((await open(drop.id, undefined, { buyerToken })).sessionId).toBe(first.sessionId)
    const second = await open(drop.id, 'M', { buyerToken })
    expect(second.sessionId).not.toBe(first.sessionId)
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 1', M: '0/1 of 1', sum: '0/1 of 2' })
  })

  it('takes no hold when the value is missing or belongs to another drop', async () => {
    const [drop, other, plain] = [await makeSized({ S: 1 }), await makeSized({ S: 1 }), await makeDrop({ quantity: 1 })]
    const { S: foreign } = await idsOf(other.id)
    const take = (dropId: number, valueId?: number) =>
      takeHold(visitor(), { dropId, valueId, quantity: 1, buyerKey: newSecret(), mode: 'hosted', holdMs: 60_000 })
    expect(await take(drop.id)).toBeNull()
    expect(await take(drop.id, foreign)).toBeNull()
    expect(await take(plain.id, foreign)).toBeNull()
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 1', sum: '0/0 of 1' })
    expect(await stockOf(other.id)).toEqual({ S: '0/0 of 1', sum: '0/0 of 1' })
    expect(await stockOf(plain.id)).toEqual({ sum: '0/0 of 1' })
    // With the right value, the same call takes a unit.
    expect(await take(other.id, foreign)).not.toBeNull()
    expect(await take(plain.id)).not.toBeNull()
    expect(await stockOf(other.id)).toEqual({ S: '0/1 of 1', sum: '0/1 of 1' })
  })
})

describe('the value of an order', () => {
  it('appears in the title, the receipt and the order page, and at Stripe', async () => {
    const drop = await makeSized({ Mustard: 2, Moss: 2 }, { title: 'Beanie' }, 'Color')
    const { sessionId, order } = await buy(drop.id, 'mustard', { name: 'color', quantity: 2 })
    expect(order).toMatchObject({ dropTitle: 'Beanie (Color Mustard)', optionName: 'Color', optionValue: 'Mustard' })
    const session = await stripe().checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] })
    const selectedVariants = '{"Color":"Mustard"}'
    expect(session.metadata).toMatchObject({ orderId: order.id, selectedVariants })
    expect(session.payment_intent).toMatchObject({
      metadata: { selectedVariants },
      description: expect.stringContaining('Beanie (Color Mustard)') as string,
    })
    const page = await findBuyerOrder(db(), order.token)
    expect(page?.title).toBe('Beanie (Color Mustard)')
    const mails = await db().outboxMail.findMany({ where: { to: 'bea@example.com', text: { contains: order.token } } })
    expect(mails.map(({ subject }) => subject)).toEqual(['Your order: Beanie (Color Mustard)'])
    // A later change of the value's name does not change the order.
    await db().optionValue.updateMany({ where: { dropId: drop.id, value: 'Mustard' }, data: { value: 'Ochre' } })
    expect((await db().order.findUniqueOrThrow({ where: { id: order.id } })).optionValue).toBe('Mustard')
  })

  it('is also sent to Stripe by the embedded checkout', async () => {
    const drop = await makeSized({ S: 1, M: 1 })
    const buyer = { dropId: drop.id, buyerToken: newSecret(), selectedVariants: { Size: 'M' } }
    const { clientSecret } = await startEmbeddedCheckout(visitor(), buyer)
    const intent = await stripe().paymentIntents.retrieve(clientSecret.split('_secret_')[0] ?? '')
    expect(intent.metadata).toMatchObject({ selectedVariants: '{"Size":"M"}' })
    expect(intent.description).toContain('Test mug (Size M)')
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 1', M: '0/1 of 1', sum: '0/1 of 2' })
  })
})

describe('units of a value', () => {
  it('are held, sold and released together with those of the drop', async () => {
    const drop = await makeSized({ S: 5, M: 10 })
    const held = await open(drop.id, 'M', { quantity: 3 })
    await buy(drop.id, 'S', { quantity: 2 })
    expect(await stockOf(drop.id)).toEqual({ S: '2/0 of 5', M: '0/3 of 10', sum: '2/3 of 15' })
    await cancelCheckout(visitor(), held.order.token)
    expect(await stockOf(drop.id)).toEqual({ S: '2/0 of 5', M: '0/0 of 10', sum: '2/0 of 15' })
  })

  it('go back on sale once, however often their expired hold is released', async () => {
    const drop = await makeSized({ S: 2, M: 1 })
    const { order } = await open(drop.id, 'S', { quantity: 2 })
    await Promise.all(Array.from({ length: 10 }, () => releaseHold(visitor(), order.holdId, 'expired')))
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 2', M: '0/0 of 1', sum: '0/0 of 3' })
  })

  it('go back on sale when the sweep finds their hold expired', async () => {
    const drop = await makeSized({ S: 1, M: 1 })
    const { order } = await open(drop.id, 'S')
    await db().hold.update({ where: { id: order.holdId }, data: { expiresAt: new Date(Date.now() - 1_000) } })
    await sweepCheckouts(systemContext('test'))
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 1', M: '0/0 of 1', sum: '0/0 of 2' })
  })

  it('go back on sale when the seller restocks some or all of them after a refund', async () => {
    const drop = await makeSized({ S: 5, M: 5 })
    const { order } = await buy(drop.id, 'M', { quantity: 3 })
    // The check after each test allows restocked units only if a refund of the order records them.
    const refund = { orderId: order.id, amountCents: 2400, platformFeeCents: 0, reason: '', requestedBy: 'stripe' }
    await db().refund.create({ data: { ...refund, id: `ref_${newSecret()}`, restockUnits: 3, state: 'succeeded' } })
    await restockUnits(systemContext('test'), order.holdId, 1)
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 5', M: '2/0 of 5', sum: '2/0 of 10' })
    await restockUnits(systemContext('test'), order.holdId, 2)
    expect(await stockOf(drop.id)).toEqual({ S: '0/0 of 5', M: '0/0 of 5', sum: '0/0 of 10' })
  })

  it('are taken again for a late payment while the value has units left', async () => {
    const drop = await makeSized({ S: 2, M: 1 })
    const late = await open(drop.id, 'S')
    await releaseHold(visitor(), late.order.holdId, 'yielded')
    await pay(late.url)
    expect(await settleCheckout(visitor(), late.sessionId)).toBe('paid')
    expect(await stockOf(drop.id)).toEqual({ S: '1/0 of 2', M: '0/0 of 1', sum: '1/0 of 3' })
  })

  it('a late payment for a sold-out value is refunded, although other values are left', async () => {
    const drop = await makeSized({ S: 1, M: 5 })
    const late = await open(drop.id, 'S')
    await releaseHold(visitor(), late.order.holdId, 'yielded')
    await buy(drop.id, 'S')
    await pay(late.url)
    expect(await settleCheckout(visitor(), late.sessionId)).toBe('refunded')
    expect(await stockOf(drop.id)).toEqual({ S: '1/0 of 1', M: '0/0 of 5', sum: '1/0 of 6' })
  })

  it('a late payment for a value that the seller removed is refunded', async () => {
    const drop = await makeSized({ S: 1, M: 5 })
    const late = await open(drop.id, 'S')
    await releaseHold(visitor(), late.order.holdId, 'yielded')
    const { S } = await idsOf(drop.id)
    await db().$transaction([
      db().optionValue.delete({ where: { id: S } }),
      db().drop.update({ where: { id: drop.id }, data: { quantity: 5 } }),
    ])
    await pay(late.url)
    expect(await settleCheckout(visitor(), late.sessionId)).toBe('refunded')
    expect(await stockOf(drop.id)).toEqual({ M: '0/0 of 5', sum: '0/0 of 5' })
  })

  it('go back to their value when a payment exceeds the limit per buyer and is refunded', async () => {
    const drop = await makeSized({ S: 3, M: 3 }, { maxPerBuyer: 1 })
    await buy(drop.id, 'S')
    const second = await open(drop.id, 'M')
    await pay(second.url)
    expect(await settleCheckout(visitor(), second.sessionId)).toBe('refunded')
    expect(await stockOf(drop.id)).toEqual({ S: '1/0 of 3', M: '0/0 of 3', sum: '1/0 of 6' })
  })
})

describe('many buyers at once', () => {
  it('500 buyers of five values get exactly the units of each value', async () => {
    const units = { XS: 3, S: 10, M: 20, L: 10, XL: 7 }
    const drop = await makeSized(units)
    const ids = await idsOf(drop.id)
    const sizes = Object.keys(units)
    const buyers = Array.from({ length: 500 }, (_, at) => ids[sizes[at % sizes.length]!]!)
    const holds = await Promise.all(
      buyers.map((valueId) =>
        takeHold(visitor(), {
          dropId: drop.id,
          valueId,
          quantity: 1,
          buyerKey: newSecret(),
          mode: 'hosted',
          holdMs: 60_000,
        }),
      ),
    )
    const got = holds.flatMap((hold) => hold?.optionValue ?? [])
    const counted = Object.fromEntries(sizes.map((size) => [size, got.filter((value) => value === size).length]))
    expect(counted).toEqual(units)
    expect(await stockOf(drop.id)).toMatchObject({ XS: '0/3 of 3', M: '0/20 of 20', sum: '0/50 of 50' })
  })

  it('the held units of each value stay exact while 150 buyers take and release units', async () => {
    const units = { S: 12, M: 12, L: 12 }
    const drop = await makeSized(units)
    const ids = await idsOf(drop.id)
    const sizes = Object.keys(units)
    const outcomes = await Promise.all(
      Array.from({ length: 150 }, async (_, at) => {
        const valueId = ids[sizes[at % 3]!]!
        const buyer = { buyerKey: newSecret(), mode: 'hosted' as const, holdMs: 60_000 }
        const hold = await takeHold(visitor(), { dropId: drop.id, valueId, quantity: (at % 2) + 1, ...buyer })
        if (hold && at % 4 !== 0) await releaseHold(visitor(), hold.holdId, 'cancelled')
        return hold ? (at % 4 === 0 ? 'kept' : 'released') : 'none'
      }),
    )
    expect(outcomes).toContain('kept')
    expect(outcomes).toContain('released')
    const held = await db().hold.groupBy({
      by: ['valueId'],
      where: { dropId: drop.id, state: 'held' },
      _sum: { quantity: true },
    })
    const values = await db().optionValue.findMany({ where: { dropId: drop.id } })
    for (const value of values) {
      expect(value.held).toBe(held.find(({ valueId }) => valueId === value.id)?._sum.quantity ?? 0)
      expect(value.held).toBeLessThanOrEqual(12)
    }
  })

  it('the last unit of a value is sold once when several late payments arrive together', async () => {
    const drop = await makeSized({ S: 1, M: 9 })
    const late = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const opened = await open(drop.id, 'S')
        await releaseHold(visitor(), opened.order.holdId, 'yielded')
        return opened
      }).map((opening) => opening.catch(() => null)),
    )
    const payable = late.flatMap((opened) => opened ?? [])
    for (const { url } of payable) await pay(url)
    const ends = await Promise.all(payable.map(({ sessionId }) => settleCheckout(visitor(), sessionId)))
    expect(ends.filter((end) => end === 'paid')).toHaveLength(1)
    expect(await stockOf(drop.id)).toEqual({ S: '1/0 of 1', M: '0/0 of 9', sum: '1/0 of 10' })
  })
})

describe('a scarce value of a drop whose other value has many units', () => {
  const press = (ip: string | null, dropId: number, size: string) =>
    startCheckout(ip === null ? visitor() : visitorFrom(ip), {
      dropId,
      quantity: 1,
      buyerToken: newSecret(),
      selectedVariants: { Size: size },
      proof: { kind: 'work' },
    })

  it('cannot be held completely by one network without work, however many of its browsers ask at once', async () => {
    const drop = await makeSized({ M: 15, L: 500 })
    const calls = Array.from({ length: 20 }, () => press('203.0.113.41', drop.id, 'M'))
    expect(await outcomesOf(calls)).toEqual({ ok: 10, WORK_NEEDED: 10 })
    // The same network may still take units of another value.
    expect(await outcomesOf([press('203.0.113.41', drop.id, 'L')])).toEqual({ ok: 1 })
    expect(await stockOf(drop.id)).toMatchObject({ M: '0/10 of 15', L: '0/1 of 500' })
  })

  it('requires a proof of work once more than half of it was unpaid for longer than a rush, but the other value does not', async () => {
    const drop = await makeSized({ M: 4, L: 100 })
    for (let taken = 0; taken < 3; taken += 1) await press(null, drop.id, 'M')
    await ageHolds(drop.id, RUSH_SECONDS + 1)
    const calls = Array.from({ length: 10 }, () => press(null, drop.id, 'M'))
    expect(await outcomesOf(calls)).toEqual({ WORK_NEEDED: 10 })
    expect(await outcomesOf([press(null, drop.id, 'L')])).toEqual({ ok: 1 })
    await open(drop.id, 'M')
    expect(await stockOf(drop.id)).toMatchObject({ M: '0/4 of 4', L: '0/1 of 100' })
  })

  it('goes back on sale until half of it is held, but only after it was unpaid for almost a minute', async () => {
    const drop = await makeSized({ M: 6, L: 100 })
    for (let taken = 0; taken < 6; taken += 1) await press(null, drop.id, 'M')
    await press(null, drop.id, 'L')
    expect(await yieldHolds(systemContext('test'))).toBe(0)
    await ageHolds(drop.id, 51)
    expect(await yieldHolds(systemContext('test'))).toBe(3)
    expect(await stockOf(drop.id)).toMatchObject({ M: '0/3 of 6', L: '0/1 of 100' })
    expect(await yieldHolds(systemContext('test'))).toBe(0)
  })
})

describe('the database', () => {
  it('refuses a statement that would oversell one value', async () => {
    const drop = await makeSized({ S: 2, M: 5 })
    const sell = pool().query('UPDATE "OptionValue" SET "sold" = 3 WHERE "dropId" = $1 AND "value" = $2', [
      drop.id,
      'S',
    ])
    await expect(sell).rejects.toThrow('OptionValue_stock')
  })

  it('refuses a hold without a value, which a process of an earlier version would insert', async () => {
    const [drop, plain] = [await makeSized({ S: 2 }), await makeDrop()]
    const take = (dropId: number) =>
      db().hold.create({
        data: {
          id: newId('hold'),
          dropId,
          run: 1,
          mode: 'hosted',
          buyerKey: newSecret(),
          quantity: 1,
          expiresAt: new Date(),
          state: 'held',
        },
      })
    await expect(take(drop.id)).rejects.toThrow('has to name a value')
    const taken = await take(plain.id)
    await db().hold.delete({ where: { id: taken.id } })
  })

  it('refuses two values that differ only in case', async () => {
    const drop = await makeSized({ S: 2 })
    const twice = db().optionValue.create({ data: { dropId: drop.id, value: 's', quantity: 1, position: 1 } })
    await expect(twice).rejects.toThrow()
  })
})

it('a late payment takes a unit of its value from an unpaid hold', async () => {
  const drop = await makeSized({ S: 2, M: 2 })
  const taken = []
  for (const size of ['S', 'S', 'M', 'M']) taken.push(await open(drop.id, size))
  await ageHolds(drop.id, 51)
  expect(await yieldHolds(systemContext('test'))).toBe(2)
  expect(await stockOf(drop.id)).toMatchObject({ S: '0/1 of 2', M: '0/1 of 2' })
  await open(drop.id, 'M')
  await pay(taken[2]!.url)
  expect(await settleCheckout(systemContext('test'), taken[2]!.sessionId)).toBe('paid')
  expect(await stockOf(drop.id)).toEqual({ S: '0/1 of 2', M: '1/1 of 2', sum: '1/2 of 4' })
})

it('a buyer whose new choice is not available keeps the open checkout', async () => {
  const drop = await makeSized({ S: 2, M: 1 })
  await open(drop.id, 'M')
  const buyerToken = newSecret()
  const { url } = await open(drop.id, 'S', { buyerToken })
  await expect(open(drop.id, 'M', { buyerToken })).rejects.toMatchObject({ code: 'OPTION_IN_CHECKOUT' })
  expect((await open(drop.id, 'S', { buyerToken })).url).toBe(url)
})

it('a drop in review is refused with the same error for every choice, so that its option stays hidden', async () => {
  const drop = await makeSized({ S: 2 }, { moderation: 'review' })
  for (const size of [undefined, 'S', 'M'])
    await expect(open(drop.id, size)).rejects.toMatchObject({ code: 'DROP_PAUSED' })
})
