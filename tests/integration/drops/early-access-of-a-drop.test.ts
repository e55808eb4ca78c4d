import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { RunsList } from '@/components/drop-page/runs-list'
import { createDrop } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { historyParts } from '@/lib/drops/history/history-messages'
import { findShownDrop, listRuns } from '@/lib/drops/history/history-queries'
import { getSellerDrop } from '@/lib/drops/queries'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { isCanceled } from '@/lib/drops/rules'
import { createDropSchema, editDropSchema } from '@/lib/drops/schema'
import { toDropView, toSellerDropView } from '@/lib/drops/view'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { getRecap } from '@/lib/payouts/get-recap'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { makeEarlyDrop } from '@/tests/support/make-early-drop'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>

const as = (seller: Seller) => contextFor(actorOf(seller))
const later = (ms: number) => new Date(Date.now() + ms)
let photo: { path: string; fileName: string; field: string }

beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-photos-')), 'photo.jpg')
  await sharp({ create: { width: 120, height: 150, channels: 3, background: '#1b7f4b' } }).toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
})

async function publish(fields: object, seller?: Seller) {
  const owner = seller ?? (await makeSeller({ plan: 'pro' }))
  const form = { title: 'Mug', description: 'A mug.', price: '24', quantity: '20', ...fields }
  const row = await createDrop(as(owner), { fields: createDropSchema(['image0']).parse(form), images: [photo] })
  return { seller: owner, row }
}

const edit = (seller: Seller, dropId: number, fields: object) =>
  editDrop(as(seller), { dropId, fields: editDropSchema.parse(fields), images: [] })

const inThreeHours = () => later(3 * HOUR_MS).toISOString()

it('keeps the units of each choice once followers can buy, because the page promises the units for everyone', async () => {
  const options = { optionName: 'Size', options: 'S 10, M 10' }
  const { row, seller } = await publish({ ...options, startsAt: inThreeHours(), earlyMinutes: '60' })
  await edit(seller, row.id, { options: 'S 8, M 10' })
  const starts = { startedAt: later(30 * MINUTE_MS), endTime: later(DAY_MS) }
  await db().drop.update({ where: { id: row.id }, data: starts })
  await expect(edit(seller, row.id, { options: 'S 3, M 3' })).rejects.toMatchObject({ code: 'OPTIONS_REFUSED' })
  await expect(edit(seller, row.id, { options: 'M 18' })).rejects.toMatchObject({ code: 'OPTIONS_FIXED' })
  await edit(seller, row.id, { options: 'S 9, M 12' })
  expect((await db().drop.findUniqueOrThrow({ where: { id: row.id } })).quantity).toBe(21)
})

describe('creating', () => {
  it('proposes half of the units, and the page says when followers can buy and how many units stay for everyone', async () => {
    const { row } = await publish({ startsAt: inThreeHours(), earlyMinutes: '60' })
    expect(row).toMatchObject({ earlyMinutes: 60, earlyUnits: 10, earlyTaken: 0 })
    const view = toDropView(row)
    expect(view).toMatchObject({ publicUnits: 10, earlyLeft: 10, state: 'upcoming' })
    expect(Date.parse(view.startedAt) - Date.parse(view.earlyStartsAt!)).toBe(HOUR_MS)
    expect(await db().dropRun.findFirst({ where: { dropId: row.id } })).toMatchObject({ earlyMinutes: 60 })
  })

  test.each<[string, Record<string, string> & { startsAt?: string }, string, string]>([
    ['no start', { earlyMinutes: '60' }, 'EARLY_NEEDS_START', 'earlyMinutes'],
    ['a single unit', { earlyMinutes: '60', quantity: '1', startsAt: '3' }, 'EARLY_ONE_UNIT', 'earlyMinutes'],
    [
      'an open edition',
      { earlyMinutes: '60', isOpenEdition: 'true', startsAt: '3' },
      'EARLY_OPEN_EDITION',
      'earlyMinutes',
    ],
    ['all units', { earlyMinutes: '60', earlyUnits: '20', startsAt: '3' }, 'EARLY_TOO_MANY', 'earlyUnits'],
    ['an early start that has passed', { earlyMinutes: '120', startsAt: '1' }, 'EARLY_PAST', 'earlyMinutes'],
  ])('is refused with %s', async (_name, { startsAt, ...fields }, code, field) => {
    const starts = startsAt ? { startsAt: later(Number(startsAt) * HOUR_MS).toISOString() } : {}
    const seller = await makeSeller()
    await expect(publish({ ...fields, ...starts }, seller)).rejects.toMatchObject({ code, field, status: 400 })
    expect(await db().drop.count({ where: { userId: seller.id } })).toBe(0)
  })

  test.each([['29'], ['121'], ['x'], ['-30'], ['60.5']])('%s minutes are refused', (earlyMinutes) => {
    const form = { title: 'Mug', description: 'A mug.', price: '24', startsAt: inThreeHours(), earlyMinutes }
    expect(createDropSchema(['image0']).safeParse(form).success).toBe(false)
  })
})

describe('editing', () => {
  it('moves early access with the start, and refuses a start for which it would already be open', async () => {
    const { seller, row } = await publish({ startsAt: inThreeHours(), earlyMinutes: '60' })
    const moved = await edit(seller, row.id, { startsAt: later(5 * HOUR_MS).toISOString() })
    expect(toDropView(moved)).toMatchObject({
      earlyStartsAt: new Date(moved.startedAt.getTime() - HOUR_MS).toISOString(),
    })
    const soon = edit(seller, row.id, { startsAt: later(50 * MINUTE_MS).toISOString() })
    await expect(soon).rejects.toMatchObject({ code: 'EARLY_PAST' })
    await edit(seller, row.id, { startsAt: later(50 * MINUTE_MS).toISOString(), earlyMinutes: '30' })
    await expect(edit(seller, row.id, { earlyMinutes: 90 })).rejects.toMatchObject({ code: 'EARLY_PAST' })
  })

  it('can turn early access on and off, and keeps at least one unit for everyone', async () => {
    const { seller, row } = await publish({ startsAt: inThreeHours() })
    expect(await edit(seller, row.id, { earlyMinutes: '30' })).toMatchObject({ earlyMinutes: 30, earlyUnits: 10 })
    expect(await edit(seller, row.id, { earlyUnits: '3' })).toMatchObject({ earlyMinutes: 30, earlyUnits: 3 })
    await expect(edit(seller, row.id, { quantity: 3 })).rejects.toMatchObject({ code: 'EARLY_TOO_MANY' })
    await expect(edit(seller, row.id, { quantity: 1 })).rejects.toMatchObject({ code: 'EARLY_ONE_UNIT' })
    expect(await edit(seller, row.id, { earlyMinutes: null })).toMatchObject({ earlyMinutes: null, earlyUnits: null })
    expect(await db().dropRun.findFirst({ where: { dropId: row.id } })).toMatchObject({ earlyMinutes: null })
    await edit(seller, row.id, { earlyMinutes: '60' })
    const now = await edit(seller, row.id, { startsAt: 'now' })
    expect(toSellerDropView(now)).toMatchObject({ early: null, earlyStartsAt: null, state: 'live' })
  })

  it('is limited once early access is open: price, start and early access are fixed, but units can still be added', async () => {
    const { seller, drop } = await makeEarlyDrop()
    for (const fields of [{ price: '30' }, { startsAt: inThreeHours() }, { earlyMinutes: null }, { startsAt: 'now' }]) {
      await expect(edit(seller, drop.id, fields)).rejects.toMatchObject({ code: 'STARTED' })
    }
    await expect(edit(seller, drop.id, { quantity: 9 })).rejects.toMatchObject({ code: 'QUANTITY_LOWER' })
    expect(await edit(seller, drop.id, { quantity: 12 })).toMatchObject({ quantity: 12, earlyUnits: 5 })
  })
})

describe('ending', () => {
  it('before early access cancels the start', async () => {
    const { seller, row } = await publish({ startsAt: inThreeHours(), earlyMinutes: '60' })
    expect(isCanceled(toDropView(await endDrop(as(seller), { dropId: row.id })))).toBe(true)
  })

  it('during early access ends the drop, which then counts as having run if followers bought', async () => {
    const { seller, drop, token } = await makeEarlyDrop()
    const opened = await openCheckout(drop.id, { early: token })
    await pay(opened.url)
    await settleCheckout(systemContext('test'), opened.sessionId)
    const ended = toDropView(await endDrop(as(seller), { dropId: drop.id }))
    expect([ended.state, isCanceled(ended), ended.sold]).toEqual(['ended', false, 1])
  })

  it('during early access does not count as a canceled start while a follower is paying, and the seller gets the recap', async () => {
    const { seller, drop, token } = await makeEarlyDrop()
    const opened = await openCheckout(drop.id, { early: token })
    const ended = await endDrop(as(seller), { dropId: drop.id })
    expect(isCanceled(toDropView(ended))).toBe(false)
    const shown = (await findShownDrop(database(), drop.uniqueId))!
    expect(historyParts(toDropView(shown)).map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining('cancel'),
    )
    await queueRecaps(systemContext('test'))
    const [mail] = await db().outboxMail.findMany({ where: { dedupeKey: { startsWith: `recap:${drop.id}:1:` } } })
    expect(mail?.text).toContain('1 checkout is still open')
    const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 1 })
    expect(recap?.startedAt).toEqual(new Date(drop.startedAt.getTime() - HOUR_MS))
    await pay(opened.url)
    await settleCheckout(systemContext('test'), opened.sessionId)
    const [run] = await listRuns(database(), drop.id)
    const html = renderToStaticMarkup(
      createElement(RunsList, {
        runs: [run!],
        current: 1,
        inCheckout: 0,
        isOver: true,
        serverTime: shown.now.toISOString(),
      }),
    )
    expect(html).toContain('Public start')
    expect(html).toContain('never reached')
    expect(html).not.toContain('Start was')
  })

  it('a new run has no early access, and the old run keeps what followers bought', async () => {
    const { seller, drop } = await makeEarlyDrop()
    await db().drop.update({
      where: { id: drop.id },
      data: { startedAt: later(-3 * DAY_MS), endTime: later(-2 * DAY_MS), archivedAt: later(-2 * DAY_MS) },
    })
    await relaunchDrop(as(seller), { dropId: drop.id, duration: 24, quantity: 5 })
    const row = await getSellerDrop(database(), drop.id, seller.id)
    expect(row).toMatchObject({ run: 2, earlyMinutes: null, earlyUnits: null, earlyTaken: 0 })
    expect(await db().dropRun.findFirst({ where: { dropId: drop.id, run: 1 } })).toMatchObject({ earlyMinutes: 60 })
  })
})
