// Tests open editions whose buyers choose a size or another value: no value has a stock of its own, and together the
// values never sell more than the cap.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { createDrop } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import { historyParts } from '@/lib/drops/history/history-messages'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { openOptionTexts, optionTexts, valueProblems } from '@/lib/drops/options/option-messages'
import { ofValue } from '@/lib/drops/options/option-view'
import { findPublicDrop } from '@/lib/drops/queries'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { createDropSchema, editDropSchema } from '@/lib/drops/schema'
import { toDropView } from '@/lib/drops/view'
import { closeDatabase, database, db, pool } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { getRecap } from '@/lib/payouts/get-recap'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { holdUnits, payFor, sellUnits } from '@/tests/support/sell-units'
import { stockText } from '@/tests/support/stock-text'

afterAll(closeDatabase)

// The payments of these tests are not made at Stripe, so only the stock is checked after each of them.
afterEach(async () => {
  const findings = await checkInvariants(pool())
  expect(findings.filter(({ name, breaches }) => name === 'I1' && breaches.length > 0)).toEqual([])
})

type Seller = Awaited<ReturnType<typeof makeSeller>>
const as = (seller: Seller) => contextFor(actorOf(seller))
let photo: { path: string; fileName: string; field: string }

beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-photos-')), 'photo.jpg')
  const picture = sharp({ create: { width: 600, height: 750, channels: 3, background: '#1b7f4b' } })
  await picture.jpeg().toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
})

const typed = { title: 'Shirt', description: 'Linen.', price: '24', isOpenEdition: 'true' }

function publish(seller: Seller, fields: Record<string, string> = {}) {
  const form = { ...typed, optionName: 'Size', options: 'S, M, L', ...fields }
  return createDrop(as(seller), { fields: createDropSchema(['image0']).parse(form), images: [photo] })
}

const edit = (seller: Seller, dropId: number, fields: object) =>
  editDrop(as(seller), { dropId, fields: editDropSchema.parse(fields), images: [] })

const idOf = async (dropId: number, value: string) =>
  (await db().optionValue.findFirstOrThrow({ where: { dropId, value } })).id
const buy = async (dropId: number, value: string, units = 1) => sellUnits(dropId, units, await idOf(dropId, value))
const hold = async (dropId: number, value: string, units = 1) => holdUnits(dropId, units, await idOf(dropId, value))
const view = async (dropId: number) => toDropView((await findPublicDrop(database(), String(dropId)))!)
const changesOf = async (uniqueId: string) =>
  historyParts(toDropView((await findShownDrop(database(), uniqueId))!))
    .filter(({ kind }) => kind === 'change')
    .map(({ text }) => text)

describe('creating an open edition with sizes', () => {
  it('stores the cap at the drop and at each value, and shows the units that are free for any of them', async () => {
    const row = await publish(await makeSeller(), { quantity: '50' })
    expect(row).toMatchObject({ quantity: 50, isOpenEdition: true, isNumbered: true, option: { name: 'Size' } })
    expect(await stockText(row.id)).toBe('S 0/0 of 50, M 0/0 of 50, L 0/0 of 50, 0/0 of 50')
    await buy(row.id, 'S', 3)
    await hold(row.id, 'M', 2)
    expect((await view(row.id)).option?.values).toEqual([
      { value: 'S', left: 45, inCheckout: 0 },
      { value: 'M', left: 45, inCheckout: 2 },
      { value: 'L', left: 45, inCheckout: 0 },
    ])
  })

  it('has the usual cap when the seller names none', async () => {
    expect(await publish(await makeSeller())).toMatchObject({ quantity: 1_000 })
  })

  it('a prohibited word among the values is refused', async () => {
    await expect(publish(await makeSeller(), { options: 'cocaine, M' })).rejects.toMatchObject({ code: 'PROHIBITED' })
  })

  it('the database still refuses keys and a second run', async () => {
    const { id } = await publish(await makeSeller({ plan: 'pro' }))
    for (const data of [{ run: 2 }, { keysGiven: 0, productType: 'digital' as const }]) {
      await expect(db().drop.update({ where: { id }, data })).rejects.toThrow(/Drop_open_edition|Drop_keys/)
    }
    await expect(relaunchDrop(as(await makeSeller()), { dropId: id, duration: 24 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('no value is sold out before the cap', () => {
  it('a value is on sale while any unit is free, and in checkout while units of another value are', async () => {
    const { id } = await publish(await makeSeller(), { quantity: '3', isNumbered: 'false' })
    await buy(id, 'S', 2)
    expect(ofValue(await view(id), 'S')).toMatchObject({ state: 'live', available: 1 })
    await hold(id, 'M')
    expect(ofValue(await view(id), 'S')).toMatchObject({ state: 'live', available: 0, inCheckout: 1 })
  })

  it('all values are closed together when the cap is reached', async () => {
    const { id } = await publish(await makeSeller(), { quantity: '2' })
    await buy(id, 'S')
    await buy(id, 'L')
    for (const value of ['S', 'M', 'L']) expect(ofValue(await view(id), value)).toMatchObject({ state: 'soldOut' })
  })
})

it('200 parallel buyers get exactly as many units as the cap allows, and the sizes add up to the total', async () => {
  const drop = await publish(await makeSeller(), { quantity: '40' })
  const { option } = (await findPublicDrop(database(), String(drop.id)))!
  const idOf = (size: number) => option!.values[size]!.id
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const held = await takeHold(visitor(), {
        dropId: drop.id,
        valueId: idOf(at % 7 < 4 ? 0 : at % 7 < 6 ? 1 : 2),
        quantity: 1 + (at % 3 === 0 ? 1 : 0),
        buyerKey: newId('buyer'),
        mode: 'hosted',
        holdMs: HOUR_MS,
      })
      if (!held) return 'refused'
      if (at % 5 > 0) return payFor(held)
      await releaseHold(visitor(), held.holdId, 'cancelled')
      return 'cancelled'
    }),
  )
  expect(outcomes).toContain('refused')
  // What the parallel buyers left is bought one by one, so that the cap is reached.
  for (let at = 0; at < 40; at += 1) {
    const last = { dropId: drop.id, valueId: idOf(2), quantity: 1, buyerKey: newId('buyer') }
    const held = await takeHold(visitor(), { ...last, mode: 'hosted', holdMs: HOUR_MS })
    if (!held) break
    expect(await payFor(held)).toBe('paid')
  }
  const values = await db().optionValue.findMany({ where: { dropId: drop.id } })
  const now = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
  expect([now.sold, now.held]).toEqual([40, 0])
  expect(values.reduce((sum, { sold }) => sum + sold, 0)).toBe(40)
  for (const { id, sold, held } of values) {
    const paid = await db().hold.aggregate({ where: { valueId: id, state: 'sold' }, _sum: { quantity: true } })
    expect([sold, held]).toEqual([paid._sum.quantity ?? 0, 0])
  }
  const numbers = await db().editionNumber.findMany({ where: { dropId: drop.id }, orderBy: { number: 'asc' } })
  expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
})

describe('editing an open edition with sizes', () => {
  it('before the first sale the choices can change, and the history names them without units', async () => {
    const seller = await makeSeller()
    const { id, uniqueId } = await publish(seller, { quantity: '50' })
    expect(await edit(seller, id, { options: 'M, L, XL' })).toMatchObject({ quantity: 50 })
    expect(await stockText(id)).toBe('M 0/0 of 50, L 0/0 of 50, XL 0/0 of 50, 0/0 of 50')
    expect(await changesOf(uniqueId)).toEqual(['Size S removed, Size XL added'])
  })

  it('a new cap applies to the drop and to each value', async () => {
    const seller = await makeSeller()
    const { id, uniqueId } = await publish(seller, { quantity: '50' })
    await edit(seller, id, { quantity: 80 })
    expect(await stockText(id)).toBe('S 0/0 of 80, M 0/0 of 80, L 0/0 of 80, 0/0 of 80')
    await buy(id, 'M', 2)
    await hold(id, 'L')
    await expect(edit(seller, id, { quantity: 81 })).rejects.toMatchObject({ code: 'OPEN_CAP_RAISED' })
    await expect(edit(seller, id, { quantity: 2 })).rejects.toMatchObject({ code: 'OPEN_CAP_TAKEN' })
    await edit(seller, id, { quantity: 3 })
    expect(await stockText(id)).toBe('S 0/0 of 3, M 2/0 of 3, L 0/1 of 3, 2/1 of 3')
    expect(await changesOf(uniqueId)).toEqual(['cap lowered by 47'])
    expect(await db().dropRun.findFirst({ where: { dropId: id } })).toMatchObject({ quantity: 3 })
  })

  it('choices and cap can change in one edit, and both are recorded', async () => {
    const seller = await makeSeller()
    const { id, uniqueId } = await publish(seller, { quantity: '50' })
    await edit(seller, id, { quantity: 60, options: [{ value: 'S' }, { value: 'M' }] })
    expect(await stockText(id)).toBe('S 0/0 of 60, M 0/0 of 60, 0/0 of 60')
    expect((await changesOf(uniqueId)).sort()).toEqual(['Size L removed', 'cap raised by 10'])
  })

  it('after the first sale the choices stay, and the same choices in an edit change nothing', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    await buy(id, 'M')
    for (const options of ['S, M', 'S, M, L, XL']) {
      await expect(edit(seller, id, { options })).rejects.toMatchObject({
        code: 'OPTIONS_FIXED',
        message: openOptionTexts.fixedValues,
      })
    }
    await edit(seller, id, { options: 'S, M, L', quantity: 10 })
    expect(await stockText(id)).toBe('S 0/0 of 10, M 1/0 of 10, L 0/0 of 10, 1/0 of 10')
  })

  it('a value in checkout cannot be removed', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    await hold(id, 'M')
    await expect(edit(seller, id, { options: 'S, L' })).rejects.toMatchObject({
      code: 'OPTION_TAKEN',
      message: valueProblems('M').removed,
    })
  })

  it('units per choice are refused with their own text, and choices without units for a limited drop', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const { id } = await publish(seller)
    await expect(edit(seller, id, { options: 'S 5, M 10' })).rejects.toMatchObject({
      code: 'OPTIONS_REFUSED',
      field: 'options',
      message: valueProblems('S').withUnits(5),
    })
    const limited = await publish(seller, { isOpenEdition: 'false', options: 'S 5, M 10' })
    await expect(edit(seller, limited.id, { options: 'S, M' })).rejects.toMatchObject({
      code: 'OPTIONS_REFUSED',
      field: 'options',
      message: valueProblems('S').withoutUnits,
    })
    expect(await stockText(limited.id)).toBe('S 0/0 of 5, M 0/0 of 10, 0/0 of 15')
  })

  it('a scheduled edition gets an option, which its seller renames, changes and removes before the start', async () => {
    const seller = await makeSeller()
    const startsAt = new Date(Date.now() + HOUR_MS).toISOString()
    const { id } = await publish(seller, { optionName: '', options: '', quantity: '40', startsAt })
    await expect(edit(seller, id, { optionName: 'Size' })).rejects.toMatchObject({ message: optionTexts.missing })
    await edit(seller, id, { optionName: 'Size', options: 'S, M' })
    expect(await stockText(id)).toBe('S 0/0 of 40, M 0/0 of 40, 0/0 of 40')
    await edit(seller, id, { optionName: 'Fit', quantity: 30 })
    expect(await view(id)).toMatchObject({ quantity: 30, option: { name: 'Fit' } })
    expect(await stockText(id)).toBe('S 0/0 of 30, M 0/0 of 30, 0/0 of 30')
    await edit(seller, id, { optionName: '', quantity: 20 })
    expect(await stockText(id)).toBe('0/0 of 20')
    expect(await view(id)).not.toHaveProperty('option')
  })

  it('choices cannot be added to an edition that is live without them', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller, { optionName: '', options: '' })
    await expect(edit(seller, id, { options: 'S, M' })).rejects.toMatchObject({ message: openOptionTexts.noOption })
  })
})

it('analytics and recap count the units of each value, and compare them with no stock', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const { id } = await publish(seller, { quantity: '50' })
  await buy(id, 'S', 2)
  await buy(id, 'M', 3)
  await hold(id, 'M')
  const analytics = await getAnalytics(as(seller), { dropId: id })
  expect(analytics).toMatchObject({ isOpenEdition: true })
  expect(analytics.values.map(({ value, sold, held }) => [value, sold, held])).toEqual([
    ['S', 2, 0],
    ['M', 3, 1],
    ['L', 0, 0],
  ])
  expect(await getRecap(database(), { sellerId: seller.id, dropId: id, run: 1 })).toMatchObject({
    isOpenEdition: true,
    values: [
      { value: 'S', quantity: null, sold: 2 },
      { value: 'M', quantity: null, sold: 3 },
      { value: 'L', quantity: null, sold: 0 },
    ],
  })
})

it('a form that is sent twice publishes one edition', async () => {
  const seller = await makeSeller()
  const idempotencyKey = newId('form')
  const [first, again] = [await publish(seller, { idempotencyKey }), await publish(seller, { idempotencyKey })]
  expect(again.id).toBe(first.id)
  await expect(publish(seller, { idempotencyKey, options: 'S, M' })).rejects.toMatchObject({ code: 'FORM_USED' })
})

it('keys are refused for an open edition, with or without choices', () => {
  const form = { ...typed, productType: 'digital', keys: 'one\ntwo' }
  const read = createDropSchema(['image0']).safeParse(form)
  expect(read.error?.issues.map(({ message }) => message)).toEqual([openTexts.noKeys])
})
