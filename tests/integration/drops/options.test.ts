import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { createDrop } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import { historyParts } from '@/lib/drops/history/history-messages'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { keyTexts } from '@/lib/drops/keys/key-messages'
import { optionTexts, valueProblems } from '@/lib/drops/options/option-messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { renewDrops } from '@/lib/drops/renew-drops'
import { createDropSchema, editDropSchema, relaunchSchema } from '@/lib/drops/schema'
import { toDropView, toSellerDropView } from '@/lib/drops/view'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { AppError } from '@/lib/kernel/app-error'
import { newSecret } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay, startBuying } from '@/tests/support/shop'
import { stockText } from '@/tests/support/stock-text'
import { untilWaits } from '@/tests/support/until-waits'

examineMoneyAfterEach()
afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>
const as = (seller: Seller) => contextFor(actorOf(seller))
let photo: { path: string; fileName: string; field: string }

beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-photos-')), 'photo.jpg')
  const picture = sharp({ create: { width: 600, height: 750, channels: 3, background: '#1b7f4b' } })
  await picture.jpeg().toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
})

function publish(seller: Seller, fields: Record<string, string> = {}) {
  const form = { title: 'Shirt', description: 'Linen.', price: '24', optionName: 'Size', options: 'S 2, M 3, L 1' }
  return createDrop(as(seller), { fields: createDropSchema(['image0']).parse({ ...form, ...fields }), images: [photo] })
}

const edit = (seller: Seller, dropId: number, fields: object) =>
  editDrop(as(seller), { dropId, fields: editDropSchema.parse(fields), images: [] })

const relaunch = (seller: Seller, dropId: number, fields: object = {}) =>
  relaunchDrop(as(seller), { dropId, ...relaunchSchema.parse({ duration: 24, ...fields }) })

async function hold(dropId: number, size: string, quantity = 1) {
  const started = await startBuying(visitor(), {
    dropId,
    quantity,
    buyerToken: newSecret(),
    selectedVariants: { Size: size },
  })
  if (!('url' in started)) throw new Error('the buyer was put in line instead of a checkout')
  const sessionId = new URL(started.url).pathname.split('/').at(-1) ?? ''
  const { holdId } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { url: started.url, sessionId, holdId }
}

async function buy(dropId: number, size: string, quantity = 1) {
  const { url, sessionId } = await hold(dropId, size, quantity)
  await pay(url)
  expect(await settleCheckout(visitor(), sessionId)).toBe('paid')
}

/** Moves the start of the drop to 50 hours ago and its end to 25 hours ago, and archives it. */
async function end(dropId: number) {
  const times = { startedAt: new Date(Date.now() - 50 * HOUR_MS), endTime: new Date(Date.now() - 25 * HOUR_MS) }
  await db().drop.update({ where: { id: dropId }, data: times })
  await db().dropRun.updateMany({ where: { dropId }, data: times })
  await archiveDrops(systemContext('archive'))
}

describe('creating a drop with an option', () => {
  it('the quantity is the sum of the units of all values, and buyers see how many units of each value are left', async () => {
    const row = await publish(await makeSeller(), { quantity: '99' })
    expect(row).toMatchObject({ quantity: 6, option: { name: 'Size' } })
    const left = (value: string, units: number) => ({ value, left: units, inCheckout: 0 })
    expect(toDropView(row).option).toEqual({ name: 'Size', values: [left('S', 2), left('M', 3), left('L', 1)] })
    expect(await db().dropRun.findFirst({ where: { dropId: row.id } })).toMatchObject({ quantity: 6 })
    await hold(row.id, 'M', 2)
    expect(toDropView((await findPublicDrop(database(), row.uniqueId))!).option?.values[1]).toEqual({
      value: 'M',
      left: 1,
      inCheckout: 2,
    })
  })

  it('the view of a drop without an option contains no option', async () => {
    const row = await publish(await makeSeller(), { optionName: '', options: '', quantity: '4' })
    expect(row).toMatchObject({ quantity: 4, option: null })
    expect(toDropView(row)).not.toHaveProperty('option')
    expect(toSellerDropView(row).values).toEqual([])
  })

  it('a prohibited word among the values is refused, and nothing is saved', async () => {
    const seller = await makeSeller()
    await expect(publish(seller, { options: 'cocaine 5, M 1' })).rejects.toMatchObject({ code: 'PROHIBITED' })
    expect(await db().drop.count({ where: { userId: seller.id } })).toBe(0)
  })

  it('a drop in review shows no values', async () => {
    const row = await publish(await makeSeller())
    const view = async () => toDropView((await findPublicDrop(database(), row.uniqueId))!)
    expect(await view()).toHaveProperty('option.values.0.value', 'S')
    await db().drop.update({ where: { id: row.id }, data: { moderation: 'review' } })
    expect(await view()).not.toHaveProperty('option')
  })
})

describe('editing the values', () => {
  it('before the first sale, all values can change, and the quantity of the drop is the sum of their new units', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    const row = await edit(seller, id, { options: 'XL 4, m 2' })
    expect(row).toMatchObject({ quantity: 6 })
    expect(await stockText(id)).toBe('XL 0/0 of 4, m 0/0 of 2, 0/0 of 6')
    expect(await db().dropRun.findFirst({ where: { dropId: id } })).toMatchObject({ quantity: 6 })
  })

  it('a change of the values that keeps their sum is recorded, and the page does not say that everything is as announced', async () => {
    const seller = await makeSeller()
    const { id, uniqueId } = await publish(seller)
    await edit(seller, id, { options: 'S 3, M 3, L 1' })
    const texts = async () => {
      const row = (await findShownDrop(database(), uniqueId))!
      return historyParts(toDropView(row)).map(({ text }) => text)
    }
    expect(await texts()).toEqual(['Run 1', '1 unit added: 1 S'])
    await edit(seller, id, { options: 'S 1, M 5, XL 1' })
    expect(await texts()).toEqual(['Run 1', 'Size L removed, Size XL added with 1 unit, 1 S fewer, 2 M more'])
    await edit(seller, id, { options: 's 2, M 3, L 1' })
    expect(await texts()).toEqual(['Run 1', 'choices changed and changed back'])
  })

  it('a scheduled drop gets an option, which its seller renames and removes again before the start', async () => {
    const seller = await makeSeller()
    const startsAt = new Date(Date.now() + HOUR_MS).toISOString()
    const { id, uniqueId } = await publish(seller, { optionName: '', options: '', quantity: '4', startsAt })
    expect(await stockText(id)).toBe('0/0 of 4')
    const problems = [
      [{ optionName: 'Size' }, { message: optionTexts.missing, field: 'options' }],
      [{ options: 'S 1' }, { message: optionTexts.noOption, field: 'options' }],
      [
        { optionName: '', options: 'S 1' },
        { message: optionTexts.noOption, field: 'options' },
      ],
      [
        { optionName: 'Size', options: 'S 1', quantity: 3 },
        { message: optionTexts.sumOfValues, field: 'quantity' },
      ],
      [{ optionName: 'Sukkor', options: 'S 1, heroin 5' }, { code: 'PROHIBITED' }],
    ] as const
    for (const [fields, error] of problems) await expect(edit(seller, id, fields)).rejects.toMatchObject(error)
    expect(await stockText(id)).toBe('0/0 of 4')

    await edit(seller, id, { optionName: 'Size', options: 'S 2, M 3' })
    expect(await stockText(id)).toBe('S 0/0 of 2, M 0/0 of 3, 0/0 of 5')
    await edit(seller, id, { optionName: 'Fit' })
    const renamed = (await findShownDrop(database(), uniqueId))!
    expect(renamed.option?.name).toBe('Fit')
    expect(historyParts(toDropView(renamed)).map(({ text }) => text)).toContain(
      'Fit S added with 2 units, Fit M added with 3 units',
    )
    await expect(edit(seller, id, { optionName: '', options: 'S 1' })).rejects.toMatchObject({ field: 'optionName' })
    await edit(seller, id, { optionName: '', quantity: 9 })
    expect(await stockText(id)).toBe('0/0 of 9')
    const runs = await db().dropRun.findMany({ where: { dropId: id }, select: { quantity: true } })
    expect(runs).toEqual([{ quantity: 9 }])
    const recorded = await db().runChange.findMany({ where: { dropId: id }, orderBy: { id: 'asc' } })
    expect(recorded.map(({ unitsBefore, unitsAfter }) => [unitsBefore, unitsAfter])).toEqual([
      [4, 5],
      [5, 9],
    ])
  })

  it('an option is refused after the start, with units for an open edition, and for a drop with keys', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const startsAt = new Date(Date.now() + HOUR_MS).toISOString()
    const bare = { optionName: '', options: '' }
    const started = await publish(seller, bare)
    const open = await publish(seller, { ...bare, startsAt, isOpenEdition: 'true' })
    const keyed = await publish(seller, { ...bare, startsAt, productType: 'digital', keys: 'one\ntwo' })
    const option = { optionName: 'Size', options: 'S 1, M 1' }
    await expect(edit(seller, started.id, option)).rejects.toMatchObject({ code: 'STARTED', field: 'optionName' })
    await expect(edit(seller, open.id, option)).rejects.toMatchObject({
      message: valueProblems('S').withUnits(1),
    })
    await expect(edit(seller, keyed.id, option)).rejects.toMatchObject({ message: keyTexts.noOption })
  })

  it('a value with units in checkout cannot be removed or lowered below those units', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    await hold(id, 'M', 2)
    await expect(edit(seller, id, { options: 'S 2, L 1' })).rejects.toMatchObject({
      code: 'OPTION_TAKEN',
      field: 'options',
      message: valueProblems('M').removed,
    })
    await expect(edit(seller, id, { options: 'S 9, M 1, L 1' })).rejects.toMatchObject({
      code: 'OPTION_TAKEN',
      message: valueProblems('M').taken(2),
    })
    expect(await stockText(id)).toBe('S 0/0 of 2, M 0/2 of 3, L 0/0 of 1, 0/2 of 6')
  })

  it('a value cannot be removed while a late payment for it is recorded, and the payment succeeds', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    const late = await hold(id, 'M')
    await releaseHold(visitor(), late.holdId, 'yielded')
    await pay(late.url)
    const ends = { payment: undefined as Promise<string> | undefined, edit: undefined as Promise<string> | undefined }
    // While the order's row is locked, the payment has locked its hold, but not yet the drop.
    await db().$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Order" WHERE "holdId" = ${late.holdId} FOR UPDATE`
      ends.payment = settleCheckout(visitor(), late.sessionId)
      await untilWaits('SELECT 1 FROM "Order" WHERE "id" =', ends.payment)
      ends.edit = edit(seller, id, { options: 'S 2, L 1' }).then(
        () => 'removed',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      )
      await untilWaits('DELETE FROM "public"."OptionValue"', ends.edit)
    })
    expect(await ends.payment).toBe('paid')
    expect(await ends.edit).toBe('OPTION_TAKEN')
    expect(await stockText(id)).toBe('S 0/0 of 2, M 1/0 of 3, L 0/0 of 1, 1/0 of 6')
  })

  it('after the first sale, the units of a value can only be raised', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    await buy(id, 'M', 2)
    const texts = valueProblems('M')
    const refused = [
      ['S 2, M 1, L 1', { code: 'OPTION_TAKEN', message: texts.taken(2) }],
      ['S 1, M 3, L 1', { code: 'OPTIONS_REFUSED', message: valueProblems('S').lower }],
      ['S 2, M 3', { code: 'OPTIONS_FIXED', message: optionTexts.fixedValues }],
      ['S 2, M 3, L 1, XL 1', { code: 'OPTIONS_FIXED', message: optionTexts.fixedValues }],
    ] as const
    for (const [options, error] of refused) await expect(edit(seller, id, { options })).rejects.toMatchObject(error)
    expect(await stockText(id)).toBe('S 0/0 of 2, M 2/0 of 3, L 0/0 of 1, 2/0 of 6')
    await edit(seller, id, { options: 'S 2, M 5, L 4' })
    expect(await stockText(id)).toBe('S 0/0 of 2, M 2/0 of 5, L 0/0 of 4, 2/0 of 11')
  })

  it('a quantity is refused for a drop with an option, and values are refused for a drop without an option', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const [sized, plain] = [await publish(seller), await publish(seller, { optionName: '', options: '' })]
    await expect(edit(seller, sized.id, { quantity: 50 })).rejects.toMatchObject({ message: optionTexts.sumOfValues })
    await expect(edit(seller, plain.id, { options: 'S 1' })).rejects.toMatchObject({ message: optionTexts.noOption })
  })

  it('raising the units of a value while buyers take holds loses no units', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller, { options: 'S 20, M 20' })
    const holds = Array.from({ length: 12 }, (_, at) => hold(id, at % 2 ? 'S' : 'M'))
    const edits = [21, 22, 23, 24].map((units) => edit(seller, id, { options: `S ${units}, M 20` }))
    await Promise.allSettled([...edits, ...holds])
    const { option, ...row } = (await findPublicDrop(database(), String(id)))!
    const sum = (name: 'quantity' | 'held') => option!.values.reduce((all, value) => all + value[name], 0)
    expect([row.quantity, row.held]).toEqual([sum('quantity'), sum('held')])
  })
})

describe('another run', () => {
  it('begins with what is left of each value', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    await buy(id, 'L')
    await buy(id, 'M', 2)
    await end(id)
    expect(await relaunch(seller, id)).toMatchObject({ run: 2, quantity: 3, sold: 0 })
    expect(await stockText(id)).toBe('S 0/0 of 2, M 0/0 of 1, L 0/0 of 0, 0/0 of 3')
    await expect(hold(id, 'L')).rejects.toMatchObject({ code: 'OPTION_SOLD_OUT' })
  })

  it('begins with the units that the seller states, but not with fewer than are in checkout or with other values', async () => {
    const seller = await makeSeller()
    const { id } = await publish(seller)
    const open = await hold(id, 'M', 2)
    await end(id)
    await expect(relaunch(seller, id, { options: 'S 1, M 1' })).rejects.toMatchObject({
      code: 'OPTION_TAKEN',
      message: valueProblems('M').taken(2),
    })
    await expect(relaunch(seller, id, { options: 'S 1, XL 1' })).rejects.toMatchObject({
      message: valueProblems('XL').unknown,
    })
    await expect(relaunch(seller, id, { quantity: 9 })).rejects.toMatchObject({ message: optionTexts.sumOfValues })
    await releaseHold(visitor(), open.holdId, 'expired')
    await relaunch(seller, id, { options: 'S 7, M 2' })
    expect(await stockText(id)).toBe('S 0/0 of 7, M 0/0 of 2, L 0/0 of 0, 0/0 of 9')
  })

  it('begins with what is left of each value when auto-renew starts it', async () => {
    const seller = await makeSeller({ plan: 'pro', autoRenewDrops: true })
    const { id } = await publish(seller)
    await buy(id, 'S')
    await end(id)
    await db().dropRun.updateMany({ where: { dropId: id }, data: { renewDueAt: new Date(Date.now() - 1_000) } })
    await renewDrops(systemContext('renew'))
    expect(await stockText(id)).toBe('S 0/0 of 1, M 0/0 of 3, L 0/0 of 1, 0/0 of 5')
  })
})

it('the analytics show the sold and held units of each value', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const { id } = await publish(seller)
  await buy(id, 'M', 2)
  await hold(id, 'S')
  expect((await getAnalytics(as(seller), { dropId: id })).values).toEqual([
    { value: 'S', quantity: 2, sold: 0, held: 1 },
    { value: 'M', quantity: 3, sold: 2, held: 0 },
    { value: 'L', quantity: 1, sold: 0, held: 0 },
  ])
})
