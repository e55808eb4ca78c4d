import type { CreateCodeInput } from '@/lib/drops/codes/code-schema'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { createCode } from '@/lib/drops/codes/create-code'
import { editDrop } from '@/lib/drops/edit-drop'
import { endCode } from '@/lib/drops/codes/end-code'
import { endDrop } from '@/lib/drops/end-drop'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import { findPublicDrop, getSellerDrop } from '@/lib/drops/queries'
import { editDropSchema } from '@/lib/drops/schema'
import { toDropView, toSellerDropView } from '@/lib/drops/view'
import { toDiscountCodeView } from '@/lib/drops/codes/code-view'
import { listCodes } from '@/lib/drops/codes/code-queries'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const nothing = { percent: null, offCents: null, maxUses: null, perBuyer: null, endsAt: null }

async function makeShop(drop: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller({ plan: 'pro' })
  const row = await makeDrop({ userId: seller.id, ...drop })
  const ctx = contextFor(actorOf(seller))
  const create = (input: Partial<CreateCodeInput>) =>
    createCode(ctx, { ...nothing, code: 'FRIENDS', ...input, dropId: row.id })
  return { ctx, drop: row, seller, create }
}

it('the view of a drop says whether the drop has a code that has not ended', async () => {
  const { ctx, drop, create } = await makeShop()
  const page = async () => toDropView((await findPublicDrop(database(), drop.uniqueId))!).hasCodes
  expect(await page()).toBe(false)
  const code = toDiscountCodeView(await create({ percent: 20, maxUses: 5, perBuyer: 1 }))
  expect(code).toMatchObject({
    code: 'FRIENDS',
    unitPriceCents: 1920,
    used: 0,
    state: 'active',
    maxUses: 5,
    perBuyer: 1,
  })
  expect(await page()).toBe(true)
  for (let at = 0; at < 2; at += 1) {
    expect(toDiscountCodeView(await endCode(ctx, { dropId: drop.id, codeId: code.id })).state).toBe('ended')
  }
  expect(await page()).toBe(false)
})

it('refuses a discount that is too large, an end in the past, and the same code twice, even at the same moment', async () => {
  const { drop, create } = await makeShop()
  await expect(create({ offCents: 2351 })).rejects.toMatchObject({
    ...{ code: 'CODE_TOO_LARGE', field: 'offCents', message: expect.stringContaining('at most $23.50') },
  })
  await expect(create({ percent: 20, endsAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'CODE_ENDS_IN_PAST',
  })
  const both = await Promise.allSettled([create({ offCents: 2350 }), create({ percent: 5 })])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(create({ percent: 5 })).rejects.toMatchObject({ code: 'CODE_TAKEN', field: 'code' })
  expect(await db().discountCode.count({ where: { dropId: drop.id } })).toBe(1)
  const cheap = await makeShop({ priceCents: 50 })
  await expect(cheap.create({ percent: 1 })).rejects.toMatchObject({ code: 'CODE_TOO_LARGE' })
})

it('refuses a new price of a scheduled drop that is too low for one of its codes', async () => {
  const startedAt = new Date(Date.now() + 3_600_000)
  const { ctx, drop, create } = await makeShop({ startedAt, endTime: new Date(startedAt.getTime() + 86_400_000) })
  const code = await create({ offCents: 1000 })
  const change = (price: string) =>
    editDrop(ctx, { dropId: drop.id, fields: editDropSchema.parse({ price }), images: [] })
  await expect(change('10.49')).rejects.toMatchObject({ code: 'PRICE_BELOW_CODE', field: 'price', status: 409 })
  expect((await change('10.50')).priceCents).toBe(1050)
  await endCode(ctx, { dropId: drop.id, codeId: code.id })
  expect((await change('5')).priceCents).toBe(500)
})

it('refuses a code that would end before or at the start of a scheduled drop', async () => {
  const startedAt = new Date(Date.now() + 3_600_000)
  const { create } = await makeShop({ startedAt, endTime: new Date(startedAt.getTime() + 86_400_000) })
  const refused = create({ percent: 5, endsAt: startedAt.toISOString() })
  await expect(refused).rejects.toMatchObject({
    ...{ field: 'endsAt', message: 'Please choose a time after the start of this drop.' },
  })
  await create({ percent: 5, endsAt: new Date(startedAt.getTime() + 1000).toISOString() })
})

it('a relaunch ends the codes of a drop, which can then get twenty new codes', async () => {
  const endTime = new Date(Date.now() - 25 * 3_600_000)
  const { ctx, drop, create } = await makeShop({ endTime, startedAt: new Date(endTime.getTime() - 86_400_000) })
  const past = new Date(Date.now() - 1000)
  await db().discountCode.createMany({
    data: [
      ...Array.from({ length: 18 }, (_, at) => ({ dropId: drop.id, code: `OLD-${at}`, percent: 5 })),
      { dropId: drop.id, code: 'OVER', percent: 5, endsAt: past },
      { dropId: drop.id, code: 'ENDED', percent: 5, endedAt: past },
    ],
  })
  await relaunchDrop(ctx, { dropId: drop.id, duration: 48 })
  const states = (await listCodes(database(), drop.id)).map((row) => `${row.code} ${toDiscountCodeView(row).state}`)
  expect(states.filter((state) => state.startsWith('OLD-')).every((state) => state.endsWith(' ended'))).toBe(true)
  expect(states).toEqual(expect.arrayContaining(['OLD-17 ended', 'OVER over', 'ENDED ended']))
  expect((await db().discountCode.findFirstOrThrow({ where: { code: 'ENDED', dropId: drop.id } })).endedAt).toEqual(
    past,
  )
  await expect(openCheckout(drop.id, { code: 'OLD-1' })).rejects.toMatchObject({ code: 'CODE_ENDED' })
  for (let at = 10; at < 30; at += 1) await create({ code: `NEW-${at}`, percent: 5 })
  await expect(create({ code: 'NEW-30', percent: 5 })).rejects.toMatchObject({ code: 'TOO_MANY_CODES' })
})

it('a drop has at most twenty current codes, only its seller can create and end them, and an ended drop gets no new code', async () => {
  const { ctx, drop, create } = await makeShop()
  for (let at = 10; at < 30; at += 1) await create({ code: `CODE-${at}`, percent: 5 })
  await expect(create({ code: 'CODE-30', percent: 5 })).rejects.toMatchObject({ code: 'TOO_MANY_CODES', status: 409 })
  const stranger = contextFor(actorOf(await makeSeller()))
  await expect(createCode(stranger, { ...nothing, code: 'MINE', percent: 5, dropId: drop.id })).rejects.toMatchObject({
    status: 404,
  })
  const [code] = await listCodes(database(), drop.id)
  await expect(endCode(stranger, { dropId: drop.id, codeId: code!.id })).rejects.toMatchObject({ status: 404 })
  const other = await makeDrop({ userId: drop.userId })
  await expect(endCode(ctx, { dropId: other.id, codeId: code!.id })).rejects.toMatchObject({ code: 'CODE_NOT_FOUND' })
  await endDrop(ctx, { dropId: drop.id })
  await db().discountCode.deleteMany({ where: { dropId: drop.id } })
  await expect(create({ percent: 5 })).rejects.toMatchObject({ code: 'ENDED' })
})

it('shows the total discount of a code, and counts what buyers paid as revenue in the drop, the analytics and the recap', async () => {
  const { ctx, drop, seller, create } = await makeShop()
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  await create({ percent: 20 })
  for (const code of ['FRIENDS', '']) {
    const { url, sessionId } = await openCheckout(drop.id, { code })
    await pay(url)
    await settleCheckout(systemContext('test'), sessionId)
  }
  const row = await getSellerDrop(database(), drop.id, seller.id)
  expect(toSellerDropView(row)).toMatchObject({ purchases: 2, revenueCents: 4320 })
  expect(await getAnalytics(ctx, { dropId: drop.id })).toMatchObject({ revenueCents: 4320, revenue: '43.20' })
  expect((await listCodes(database(), drop.id)).map(toDiscountCodeView)).toMatchObject([
    { used: 1, discountedCents: 480 },
  ])
  await endDrop(ctx, { dropId: drop.id })
  await queueRecaps(ctx)
  const [recap] = await db().outboxMail.findMany({
    where: { to: seller.email, dedupeKey: { startsWith: `recap:${drop.id}:1:` } },
  })
  expect(recap?.text).toContain('Revenue: $43.20')
})
