import { closeDatabase, database, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newId, newUniqueId } from '@/lib/kernel/id'
import { formatSignedUsd, formatUsd } from '@/lib/kernel/money'
import { formatDay, HOUR_MS } from '@/lib/kernel/time'
import { runArchive } from '@/lib/jobs/run-archive'
import { recapTexts } from '@/lib/payouts/messages'
import { endDrop } from '@/lib/drops/end-drop'
import { listSellerDrops } from '@/lib/drops/queries'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { getRecap } from '@/lib/payouts/get-recap'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const START = new Date(Date.now() - 5 * HOUR_MS)

/** Makes a live drop in its second run, with 40 views before that run and 25 in it. */
async function openShop(plan: 'free' | 'pro', quantity = 6) {
  const seller = await makeSeller({ plan, payoutsState: 'ready' })
  const drop = await makeDrop({ userId: seller.id, priceCents: 2000, quantity, run: 2, startedAt: START, views: 65 })
  const past = {
    startedAt: new Date(START.getTime() - 48 * HOUR_MS),
    endTime: new Date(START.getTime() - 24 * HOUR_MS),
  }
  await db().dropRun.createMany({
    data: [
      { dropId: drop.id, run: 1, quantity: 9, sold: 4, ...past },
      { dropId: drop.id, run: 2, quantity, viewsBefore: 40, startedAt: START, endTime: drop.endTime },
    ],
  })
  return { seller, sellerCtx: contextFor(actorOf(seller)), drop }
}

async function sell(dropId: number, quantity: number, value?: string) {
  const selectedVariants: Record<string, string> = value === undefined ? {} : { Size: value }
  const { url, sessionId } = await openCheckout(dropId, { quantity, selectedVariants })
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId }, include: { transfer: true } })
}

const join = (
  dropId: number,
  minutesAgo: number,
  more: { run?: number; unsubscribedAt?: Date; confirmedAt?: null } = {},
) =>
  db().waitlistEntry.create({
    data: {
      ...{ dropId, email: `${newUniqueId()}@example.com`, tokenHash: newUniqueId(), run: 2 },
      ...{ confirmedAt: new Date(), joinedAt: new Date(Date.now() - minutesAgo * 60_000), ...more },
    },
  })

it('adds up a run as its orders, refunds and payouts do, and leaves out the other runs', async () => {
  const { seller, sellerCtx, drop } = await openShop('free')
  await sell(drop.id, 2)
  const refunded = await sell(drop.id, 1)
  const partly = await sell(drop.id, 3)
  await refundOrder(sellerCtx, { orderId: refunded.id, refundId: newId('ref'), amountCents: 2000, restockUnits: 0 })
  await refundOrder(sellerCtx, { orderId: partly.id, refundId: newId('ref'), amountCents: 1000, restockUnits: 0 })
  await db().dropHour.create({
    data: { dropId: drop.id, hour: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS), source: 'direct', refused: 7 },
  })

  const orders = await db().order.findMany({
    where: { dropId: drop.id },
    include: { transfer: true, refunds: { where: { state: 'succeeded' } } },
  })
  const sum = (of: (order: (typeof orders)[number]) => number) => orders.reduce((total, order) => total + of(order), 0)
  const feesKept = sum(
    (order) => order.platformFeeCents - order.refunds.reduce((all, one) => all + one.platformFeeCents, 0),
  )
  const net = sum(({ transfer }) => transfer!.amountCents - transfer!.deductedCents - transfer!.feeOwedCents)

  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 2 })
  expect(recap).toMatchObject({ run: 2, quantity: 6, sold: 6, views: 25, refused: 7, isOn: true, sources: null })
  expect(recap?.soldOutMs).toBeGreaterThan(4.9 * HOUR_MS)
  const { money } = recap!
  expect(money).toMatchObject({
    paidCents: 12_000,
    refundedCents: 3_000,
    platformFeeCents: feesKept,
    cardFeeCents: sum(({ cardFeeCents }) => cardFeeCents ?? 0),
    netCents: net,
    openCardFees: 0,
  })
  const { paidCents, refundedCents, platformFeeCents, cardFeeCents, otherCents } = money
  expect(paidCents - refundedCents - platformFeeCents - cardFeeCents + otherCents).toBe(net)
  expect(otherCents).toBe(0)
  // The fee is 5 % of what the buyers did not get back. On Pro it is 3 %.
  expect(recap?.proSavesCents).toBe(feesKept - 270)
  expect(money.nextDueAt?.getTime()).toBeGreaterThan(Date.now())

  const first = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 1 })
  expect(first).toMatchObject({
    run: 1,
    sold: 4,
    views: 40,
    isOn: false,
    soldOutMs: null,
    money: { paidCents: 0, netCents: 0 },
  })
})

it('counts a lost dispute, so that the lines still add up to what the seller keeps', async () => {
  const { seller, drop } = await openShop('pro')
  const order = await sell(drop.id, 1)
  await db().transfer.update({ where: { orderId: order.id }, data: { deductedCents: order.transfer!.amountCents } })
  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 2 })
  const { paidCents, platformFeeCents, cardFeeCents, otherCents, netCents } = recap!.money
  expect(netCents).toBe(0)
  expect(otherCents).toBe(-(paidCents - platformFeeCents - cardFeeCents))
  expect(recap).toMatchObject({ proSavesCents: 0, sources: [{ source: 'direct', paid: 1 }] })
})

it('leaves out a payment that got no unit, because the platform refunded it', async () => {
  const { seller, drop } = await openShop('pro', 2)
  const late = await openCheckout(drop.id)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(0) } })
  await pay(late.url)
  await db().drop.update({ where: { id: drop.id }, data: { sold: 2, held: 0 } })
  await db().hold.updateMany({
    where: { dropId: drop.id },
    data: { state: 'released', settledAt: new Date(), reason: 'expired' },
  })
  await settleCheckout(systemContext('test'), late.sessionId)
  expect(await db().order.findUnique({ where: { stripeSessionId: late.sessionId } })).toMatchObject({
    status: 'refunded',
  })
  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 2 })
  expect(recap?.money).toMatchObject({ paidCents: 0, refundedCents: 0, cardFeeCents: 0, otherCents: 0, netCents: 0 })
})

it('counts checkouts that ended without a payment, and those that are open', async () => {
  const { seller, drop } = await openShop('pro')
  const { sessionId } = await openCheckout(drop.id)
  const { token } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await cancelCheckout(visitor(), token)
  await openCheckout(drop.id)
  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 2 })
  expect(recap).toMatchObject({ checkouts: { open: 1, unpaid: 1 }, sold: 0 })
})

it('shows a recap only to its seller, and none of a run that does not exist or of a hidden drop', async () => {
  const { drop } = await openShop('pro')
  const stranger = await makeSeller()
  expect(await getRecap(database(), { sellerId: stranger.id, dropId: drop.id, run: 2 })).toBeNull()
  expect(await getRecap(database(), { sellerId: drop.userId, dropId: drop.id, run: 3 })).toBeNull()
  await db().drop.update({ where: { id: drop.id }, data: { hiddenAt: new Date() } })
  expect(await getRecap(database(), { sellerId: drop.userId, dropId: drop.id, run: 2 })).toBeNull()
})

it('does not count someone who has bought since they asked, until the whole price is refunded', async () => {
  const { seller, sellerCtx, drop } = await openShop('free')
  const waiting = async () => (await listSellerDrops(database(), seller.id))[0]?.waiting
  // The stand-in's buyer has the address bea@example.com.
  const bea = await join(drop.id, 30)
  await db().waitlistEntry.update({
    where: { id: bea.id },
    data: { email: 'bea+drops@example.com', mailbox: 'bea@example.com' },
  })
  await join(drop.id, 20)
  expect(await waiting()).toEqual({ unit: 2, nextRun: 0 })
  const order = await sell(drop.id, 1)
  expect(await waiting()).toEqual({ unit: 1, nextRun: 0 })
  await refundOrder(sellerCtx, { orderId: order.id, refundId: newId('ref'), amountCents: 2000, restockUnits: 0 })
  expect(await waiting()).toEqual({ unit: 2, nextRun: 0 })
  // Someone who bought one unit and then asks again wants another one.
  await sell(drop.id, 1)
  expect(await waiting()).toEqual({ unit: 1, nextRun: 0 })
  await db().waitlistEntry.update({ where: { id: bea.id }, data: { joinedAt: new Date() } })
  expect(await waiting()).toEqual({ unit: 2, nextRun: 0 })
})

it('with options, only someone who bought the value that they asked for does not count', async () => {
  const { seller, drop } = await openShop('free')
  await db().drop.update({ where: { id: drop.id }, data: { optionName: 'Size' } })
  const [s, m] = await Promise.all(
    ['S', 'M'].map((value, position) =>
      db().optionValue.create({ data: { dropId: drop.id, value, position, quantity: 3, sold: 0, held: 0 } }),
    ),
  )
  const bea = await join(drop.id, 30)
  await db().waitlistEntry.update({ where: { id: bea.id }, data: { email: 'bea@example.com', valueId: m!.id } })
  const order = await sell(drop.id, 1, s!.value)
  expect(order.optionValue).toBe('S')
  expect((await listSellerDrops(database(), seller.id))[0]?.waiting).toMatchObject({ unit: 1 })
  await sell(drop.id, 1, m!.value)
  expect((await listSellerDrops(database(), seller.id))[0]?.waiting).toMatchObject({ unit: 0 })
})

it('the recap email says when the run was sold out and how many are waiting, and links to the recap', async () => {
  const { seller, sellerCtx, drop } = await openShop('free', 2)
  await sell(drop.id, 2)
  await join(drop.id, 30)
  await join(drop.id, 20)
  await join(drop.id, 200, { run: 1 })
  await join(drop.id, 10, { unsubscribedAt: new Date() })
  await join(drop.id, 10, { confirmedAt: null })
  await endDrop(sellerCtx, { dropId: drop.id })
  await queueRecaps(systemContext('test'))
  const [mail] = await db().outboxMail.findMany({
    where: { to: seller.email, dedupeKey: { startsWith: `recap:${drop.id}:2:` } },
  })
  expect(mail?.text).toContain('Sold out in: 5 h')
  expect(mail?.text).toContain('Waitlist: 3 waiting: 2 for a unit, 1 for the next run.')
  expect(mail?.text).toContain(`/recap/${drop.id}/2`)
  // Someone who joins after the end waits for the next run.
  await join(drop.id, -1)
  const [row] = await listSellerDrops(database(), seller.id)
  expect(row?.waiting).toEqual({ unit: 2, nextRun: 2 })
})

/**
 * Makes a shop whose drop has sizes and is in its second run: two S sold, one M sold and refunded in
 * part, one M refunded in full, one M unpaid, and no L sold.
 */
async function sellSizes(plan: 'free' | 'pro') {
  const shop = await openShop(plan, 9)
  const { drop, sellerCtx } = shop
  await db().drop.update({
    where: { id: drop.id },
    data: {
      optionName: 'Size',
      values: { create: [{ value: 'S', quantity: 2 }, { value: 'M', quantity: 4 }, { value: 'L', quantity: 3 }].map((value, position) => ({ ...value, position })) },
    },
  }) // prettier-ignore
  const sellSize = async (value: string) => {
    const { url, sessionId } = await openCheckout(drop.id, { selectedVariants: { Size: value } })
    await pay(url)
    await settleCheckout(systemContext('test'), sessionId)
    return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  }
  await sellSize('S')
  await sellSize('S')
  const kept = await sellSize('M')
  const back = await sellSize('M')
  await refundOrder(sellerCtx, { orderId: kept.id, refundId: newId('ref'), amountCents: 500, restockUnits: 0 })
  await refundOrder(sellerCtx, { orderId: back.id, refundId: newId('ref'), amountCents: 2000, restockUnits: 1 })
  const { sessionId } = await openCheckout(drop.id, { selectedVariants: { Size: 'M' } })
  const { token } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await cancelCheckout(visitor(), token)
  const [, medium] = await db().optionValue.findMany({ where: { dropId: drop.id }, orderBy: { position: 'asc' } })
  for (const minutesAgo of [3, 2]) {
    const { id } = await join(drop.id, minutesAgo)
    await db().waitlistEntry.update({ where: { id }, data: { valueId: medium!.id } })
  }
  await join(drop.id, 1)
  return shop
}

/** Reads a figure with a statement of the test, which shares nothing with the statements of the recap. */
async function figure(sql: string, dropId: number): Promise<number> {
  const [row] = await db().$queryRawUnsafe<{ n: number }[]>(`SELECT (${sql})::float8 AS "n"`, dropId)
  return row!.n
}

it.each(['free', 'pro'] as const)(
  'shows the figures of the orders on the page and in the email of the %s plan',
  async (plan) => {
    const { seller, sellerCtx, drop } = await sellSizes(plan)
    await db().dropHour.create({
      data: {
        dropId: drop.id,
        hour: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS),
        source: 'instagram',
        views: 25,
      },
    })
    await endDrop(sellerCtx, { dropId: drop.id })
    await queueRecaps(systemContext('test'))
    const recap = (await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 2 }))!
    const { text } = await db().outboxMail.findFirstOrThrow({
      where: { dedupeKey: { startsWith: `recap:${drop.id}:2:` } },
    })

    const orders = `FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" WHERE o."dropId" = $1 AND h."run" = 2`
    const sizes = (value: string) =>
      figure(`SELECT v."sold" FROM "OptionValue" v WHERE v."dropId" = $1 AND v."value" = '${value}'`, drop.id)
    const paid = await figure(`SELECT sum(o."amountCents") ${orders} AND o."paidAt" IS NOT NULL`, drop.id)
    const refunded = await figure(`SELECT sum(f."amountCents") FROM "Refund" f JOIN "Order" o ON o."id" = f."orderId" WHERE o."dropId" = $1 AND f."state" = 'succeeded'`, drop.id) // prettier-ignore
    const net = await figure(`SELECT sum(t."amountCents" - t."deductedCents" - t."feeOwedCents") FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" WHERE o."dropId" = $1`, drop.id) // prettier-ignore
    const unpaid = await figure(`SELECT count(*) FROM "Hold" h WHERE h."dropId" = $1 AND h."state" = 'released' AND h."reason" = 'cancelled'`, drop.id) // prettier-ignore
    const due = await db().transfer.findFirst({ where: { order: { dropId: drop.id }, state: 'waiting' }, orderBy: { dueAt: 'asc' } }) // prettier-ignore

    expect([paid, refunded, unpaid]).toEqual([8000, 2500, 1])
    expect(recap).toMatchObject({
      sold: 3,
      optionName: 'Size',
      values: [
        { value: 'S', quantity: 2, sold: await sizes('S') },
        { value: 'M', quantity: 4, sold: await sizes('M') },
        { value: 'L', quantity: 3, sold: await sizes('L') },
      ],
      waiting: { unit: 3, nextRun: 0, values: [{ value: 'M', waiting: 2 }] },
      money: { paidCents: paid, refundedCents: refunded, netCents: net },
      checkouts: { unpaid },
    })
    expect(recap.values!.map(({ sold }) => sold)).toEqual([2, 1, 0])
    const facts = [
      'Sold: 3 of 9',
      'Size: S 2 of 2, M 1 of 4, L 0 of 3',
      `Unpaid checkouts: ${unpaid}`,
      `Revenue: ${formatUsd(paid)}`,
      `Refunds: ${formatSignedUsd(-refunded)}`,
      `You keep: ${formatSignedUsd(net)}`,
      'Waitlist: 3 waiting for a unit. 2 want M.',
      recapTexts.dueOn(formatDay(due!.dueAt, seller.timezone)),
    ]
    for (const fact of facts) expect(text).toContain(fact)
    // The sources of buyers are part of Live Analytics, and only sellers without Pro are shown what it would have
    // saved.
    expect(text.includes('Where views came from: Instagram 25 (0 paid), Direct 0 (3 paid)')).toBe(plan === 'pro')
    expect(text.includes(recapTexts.proSaves(formatUsd(recap.proSavesCents)))).toBe(plan === 'free')
  },
)

it('the recap of an earlier run has the sizes that it sold, and no waitlist', async () => {
  const { seller, drop } = await sellSizes('pro')
  await db().drop.update({ where: { id: drop.id }, data: { run: 3 } })
  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 2 })
  expect(recap).toMatchObject({
    waiting: null,
    values: [
      { value: 'S', quantity: null, sold: 2 },
      { value: 'M', quantity: null, sold: 1 },
    ],
  })
})

it('the archive job queues the recap as soon as it finds that the drop has ended, and only once', async () => {
  const { seller, drop } = await openShop('free')
  await db().drop.update({ where: { id: drop.id }, data: { endTime: new Date(Date.now() - 1000) } })
  await Promise.all([runArchive(), runArchive()])
  const mails = await db().outboxMail.findMany({ where: { to: seller.email } })
  expect(mails.map(({ dedupeKey }) => dedupeKey)).toEqual([expect.stringContaining(`recap:${drop.id}:2:`)])
  // The archive job runs every 15 seconds (start-jobs.ts), so the email is sent well within five minutes of the end.
  expect(await db().dropRun.count({ where: { dropId: drop.id, recapDueAt: { not: null } } })).toBe(0)
})
