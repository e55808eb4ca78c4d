import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { removeDrop } from '@/lib/admin/remove-drop'
import { updateDrop } from '@/lib/admin/update-drop'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { createDrop } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { editionNote, editionText } from '@/lib/drops/editions/edition-messages'
import { findEdition } from '@/lib/drops/editions/edition-queries'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { renewDrops } from '@/lib/drops/renew-drops'
import { createDropSchema } from '@/lib/drops/schema'
import { closeDatabase, database, db, pool } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { newId } from '@/lib/kernel/id'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { getRecap } from '@/lib/payouts/get-recap'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { dropMetadata, previewStatus, previewVersion, toPreviewedDrop } from '@/lib/previews/drop-metadata'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { holdUnits, payFor, sellUnits } from '@/tests/support/sell-units'

afterAll(closeDatabase)

async function makeOpen(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller({ autoRenewDrops: true })
  const drop = await makeDrop({
    isOpenEdition: true,
    isNumbered: true,
    quantity: 1_000,
    userId: seller.id,
    ...overrides,
  })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime, firstEndTime: endTime } })
  return { seller, drop, ctx: contextFor(actorOf(seller)) }
}

/** Moves the end of a drop into the past, so that it is closed. */
async function close(dropId: number, agoMs = HOUR_MS) {
  const endTime = new Date(Date.now() - agoMs)
  const times = { startedAt: new Date(endTime.getTime() - 24 * HOUR_MS), endTime }
  await db().drop.update({ where: { id: dropId }, data: times })
  await db().dropRun.updateMany({ where: { dropId }, data: times })
}

const view = async (identifier: string) => toPreviewedDrop((await findShownDrop(database(), identifier))!)
const admin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))

it('parallel buyers get exactly as many units as the cap allows, with the numbers 1 to N and no gap', async () => {
  const { drop } = await makeOpen({ quantity: 25 })
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const wanted = {
        dropId: drop.id,
        quantity: 1,
        buyerKey: newId('buyer'),
        mode: 'hosted',
        holdMs: HOUR_MS,
      } as const
      const held = await takeHold(visitor(), wanted)
      return held ? payFor(held) : 'refused'
    }),
  )
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(25)
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(35)
  const numbers = await db().editionNumber.findMany({ where: { dropId: drop.id }, orderBy: { number: 'asc' } })
  expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
  expect(await view(drop.uniqueId)).toMatchObject({ state: 'soldOut', sold: 25, available: 0 })
  const findings = await checkInvariants(pool())
  const broken = findings.filter(
    ({ holds, breaches }) => /numbered drops|stock|units/.test(holds) && breaches.length > 0,
  )
  expect(broken).toEqual([])
})

it('the total of an edition is shown once the edition has closed and no unit is in checkout anymore', async () => {
  const { drop } = await makeOpen()
  const first = await sellUnits(drop.id, 2)
  const held = await holdUnits(drop.id, 1)
  const unpaid = await holdUnits(drop.id, 1)
  const of = async () => (await findEdition(db(), first.id))!
  expect([editionText(await of()), editionNote(await of())]).toEqual(['No. 1–2', openTexts.numberNote])
  await close(drop.id)
  expect(editionText(await of())).toBe('No. 1–2')
  expect(await payFor(held)).toBe('paid')
  await releaseHold(visitor(), unpaid.holdId, 'cancelled')
  expect([editionText(await of()), editionNote(await of())]).toEqual(['1–2 of 3', null])
  await db().order.update({ where: { id: first.id }, data: { refundedCents: first.unitPriceCents } })
  expect(editionText(await of())).toBe('1–2 of 3 (2 retired)')
})

it('an open edition is never launched again, by its seller, by auto-renew or by a process of the previous version', async () => {
  const { drop, ctx } = await makeOpen()
  await sellUnits(drop.id, 1)
  await expect(relaunchDrop(ctx, { dropId: drop.id, duration: 24 })).rejects.toMatchObject({
    code: 'OPEN_NO_SECOND_RUN',
    message: openTexts.noSecondRun,
  })
  await close(drop.id, 25 * HOUR_MS)
  await archiveDrops(visitor())
  await db().dropRun.updateMany({ where: { dropId: drop.id }, data: { renewDueAt: new Date(Date.now() - 1_000) } })
  expect(await view(drop.uniqueId)).toMatchObject({ state: 'ended', canRelaunch: false, returnsAt: null })
  await renewDrops(visitor())
  await expect(relaunchDrop(ctx, { dropId: drop.id, duration: 24 })).rejects.toMatchObject({
    code: 'OPEN_NO_SECOND_RUN',
  })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ run: 1 })
  expect(await db().dropRun.findFirst({ where: { dropId: drop.id } })).toMatchObject({ renewDueAt: null })
  await expect(db().drop.update({ where: { id: drop.id }, data: { run: 2 } })).rejects.toThrow(/Drop_open_edition/)
})

it('no return of an open edition is announced, although its seller uses auto-renew', async () => {
  const { drop } = await makeOpen()
  await sellUnits(drop.id, 1)
  expect((await view(drop.uniqueId)).history).toMatchObject({ returnsAt: null })
})

it('only an outage moves the end of a running edition, and nothing moves the end of a closed one', async () => {
  const { drop } = await makeOpen({ isNumbered: false })
  const ctx = await admin()
  await expect(updateDrop(ctx, drop.id, { action: 'extend', hours: 5 })).rejects.toMatchObject({
    code: 'OPEN_EDITION_END',
  })
  await extendLiveDrops(ctx, { hours: 2 })
  const longer = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
  expect(longer.endTime.getTime() - drop.endTime.getTime()).toBe(2 * HOUR_MS)
  await sellUnits(drop.id, 1)
  await close(drop.id)
  await extendLiveDrops(ctx, { hours: 5, endedSince: new Date(Date.now() - 3 * HOUR_MS).toISOString() })
  expect((await view(drop.uniqueId)).state).toBe('ended')
  await expect(updateDrop(ctx, drop.id, { action: 'restore', hours: 5 })).rejects.toMatchObject({
    code: 'OPEN_EDITION_CLOSED',
  })
  const later = new Date(Date.now() + HOUR_MS)
  await expect(db().drop.update({ where: { id: drop.id }, data: { endTime: later } })).rejects.toThrow(
    /terms of open edition/,
  )
})

it('an archived edition whose page said that it is closed is not reopened, and a removed one can be', async () => {
  const [shown, removed] = [(await makeOpen()).drop, (await makeOpen()).drop]
  const ctx = await admin()
  await updateDrop(ctx, shown.id, { action: 'archive' })
  for (const hours of [undefined, 5]) {
    const restored = updateDrop(ctx, shown.id, { action: 'restore', ...(hours ? { hours } : {}) })
    await expect(restored).rejects.toMatchObject({ code: 'OPEN_EDITION_CLOSED' })
  }
  expect((await view(shown.uniqueId)).state).toBe('ended')
  await removeDrop(ctx, removed.id)
  await updateDrop(ctx, removed.id, { action: 'restore' })
  expect((await view(removed.uniqueId)).state).toBe('live')
})

it('the cap can be lowered to the units that are ordered or in checkout, and raised only until the first sale', async () => {
  const { drop, ctx } = await makeOpen()
  const edit = (quantity: number) => editDrop(ctx, { dropId: drop.id, fields: { quantity }, images: [] })
  expect(await edit(1_200)).toMatchObject({ quantity: 1_200 })
  await sellUnits(drop.id, 2)
  const held = await holdUnits(drop.id, 1)
  await expect(edit(1_201)).rejects.toMatchObject({ code: 'OPEN_CAP_RAISED', message: openTexts.capRaised })
  await expect(edit(2)).rejects.toMatchObject({
    code: 'OPEN_CAP_TAKEN',
    message: "3 units are ordered or in checkout, so the cap can't be lower.",
  })
  expect(await edit(3)).toMatchObject({ quantity: 3 })
  await expect(db().drop.update({ where: { id: drop.id }, data: { quantity: 4 } })).rejects.toThrow(/open edition/)
  await expect(db().drop.update({ where: { id: drop.id }, data: { isOpenEdition: false } })).rejects.toThrow(
    /open edition/,
  )
  expect(
    await takeHold(visitor(), { dropId: drop.id, quantity: 1, buyerKey: 'x', mode: 'hosted', holdMs: 1_000 }),
  ).toBeNull()
  expect(await payFor(held)).toBe('paid')
  expect(await view(drop.uniqueId)).toMatchObject({ state: 'soldOut' })
})

it('pages, previews and data for search engines say how many units are ordered, and never how many are left', async () => {
  const { drop, seller } = await makeOpen()
  await sellUnits(drop.id, 3)
  const live = await view(drop.uniqueId)
  expect(live).toMatchObject({ isOpenEdition: true, quantity: 1_000, sold: 3, state: 'live' })
  expect(previewStatus(live)).toMatch(/^Open until .+ UTC$/)
  expect(dropMetadata(live).description).toMatch(/ · Open until .+ UTC · 3 ordered so far · @\w+\. /)
  expect(JSON.parse(dropJsonLd(live))).toMatchObject({ additionalProperty: { name: 'Ordered so far', value: 3 } })
  expect(JSON.stringify([dropMetadata(live), dropJsonLd(live)])).not.toMatch(/ left/)
  expect(previewVersion({ ...live, sold: 49 })).toBe(previewVersion({ ...live, sold: 40 }))
  expect(previewVersion({ ...live, sold: 50 })).not.toBe(previewVersion({ ...live, sold: 49 }))
  await close(drop.id)
  const closed = await view(drop.uniqueId)
  expect(previewStatus(closed)).toBe('Closed forever: 3 were ordered')
  expect(JSON.parse(dropJsonLd(closed))).toMatchObject({ additionalProperty: { name: 'Ordered', value: 3 } })
  expect(await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 1 })).toMatchObject({
    isOpenEdition: true,
    sold: 3,
  })
})

it('the recap email says that the edition is closed forever, and offers no relaunch', async () => {
  const { drop, seller } = await makeOpen()
  await sellUnits(drop.id, 3)
  await close(drop.id)
  await archiveDrops(visitor())
  await queueRecaps(visitor())
  const mail = await db().outboxMail.findFirstOrThrow({ where: { dedupeKey: { startsWith: `recap:${drop.id}:1:` } } })
  expect(mail.to).toBe(seller.email)
  expect(mail.text).toContain('closed forever')
  expect(mail.text).toContain('Ordered: 3')
  expect(mail.text).not.toMatch(/relaunch|of 1,?000/)
})

it('there is a waitlist only while a unit can become free again', async () => {
  const { drop } = await makeOpen({ quantity: 1 })
  const join = () => joinWaitlist(visitor(), { identifier: drop.uniqueId, email: 'bea@example.com' })
  await expect(join()).rejects.toMatchObject({ code: 'ON_SALE' })
  await sellUnits(drop.id, 1)
  await expect(join()).rejects.toMatchObject({ code: 'EDITION_CLOSED', message: openTexts.editionClosed })
  const { drop: plain } = await makeOpen({ quantity: 1, isNumbered: false })
  await sellUnits(plain.id, 1)
  await joinWaitlist(visitor(), { identifier: plain.uniqueId, email: 'cem@example.com' })
  expect(await db().waitlistEntry.count({ where: { dropId: plain.id } })).toBe(1)
  await close(plain.id)
  await expect(joinWaitlist(visitor(), { identifier: plain.uniqueId, email: 'dan@example.com' })).rejects.toMatchObject(
    { code: 'EDITION_CLOSED' },
  )
})

it('the create call stores an open edition with its cap and numbers', async () => {
  const seller = await makeSeller()
  const fields = createDropSchema(['image0']).parse({
    ...{ title: 'Print', description: 'A print.', price: '48', isOpenEdition: 'true' },
  })
  const row = await createDrop(contextFor(actorOf(seller)), {
    fields,
    images: [{ field: 'image0', fileName: 'print.webp', path: 'prisma/seed/images/ceramic-mug-1.webp' }],
  })
  expect(row).toMatchObject({ isOpenEdition: true, isNumbered: true, quantity: 1_000 })
})
