import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { createDrop } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { findPublicDrop, listLiveDrops } from '@/lib/drops/queries'
import { isCanceled } from '@/lib/drops/rules'
import { createDropSchema, editDropSchema } from '@/lib/drops/schema'
import { toDropView } from '@/lib/drops/view'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { openHold } from '@/lib/checkout/hold/open-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { approveReview } from '@/lib/trust/approve-review'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { holdRowLock } from '@/tests/support/hold-row-lock'
import { until } from '@/tests/support/until'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>

const as = (seller: Seller) => contextFor(actorOf(seller))
const later = (ms: number) => new Date(Date.now() + ms)
const stateOf = async (id: number) => toDropView((await findPublicDrop(database(), String(id)))!).state
let photo: { path: string; fileName: string; field: string }

beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lastcall-photos-')), 'photo.jpg')
  await sharp({ create: { width: 120, height: 150, channels: 3, background: '#1b7f4b' } }).toFile(file)
  photo = { path: file, fileName: 'photo.jpg', field: 'image0' }
})

function publish(seller: Seller, fields: object) {
  const form = { title: 'Mug', description: 'A mug.', price: '24', duration: '48', quantity: '5', ...fields }
  return createDrop(as(seller), { fields: createDropSchema(['image0']).parse(form), images: [photo] })
}

const edit = (seller: Seller, dropId: number, fields: object) =>
  editDrop(as(seller), { dropId, fields: editDropSchema.parse(fields), images: [] })

/** Makes a drop that starts at the given time, by default in an hour, and runs for a day. */
async function scheduled(startedAt = later(HOUR_MS), overrides: Parameters<typeof makeDrop>[0] = {}) {
  const endTime = new Date(startedAt.getTime() + DAY_MS)
  const drop = await makeDrop({ startedAt, endTime, ...overrides })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, startedAt, endTime } })
  return drop
}

const hold = (dropId: number, key = `b${Math.random()}`) =>
  takeHold(visitor(), { dropId, quantity: 1, buyerKey: key, mode: 'hosted', holdMs: HOUR_MS })

describe('creating a scheduled drop', () => {
  it('reads the start in the seller’s time zone, and the drop ends after its whole duration', async () => {
    const seller = await makeSeller({ timezone: 'America/New_York' })
    const day = later(3 * DAY_MS)
      .toISOString()
      .slice(0, 10)
    const row = await publish(seller, { startsAt: `${day}T20:00` })
    const hours = new Date(`${day}T20:00Z`).getTime() - row.startedAt.getTime()
    // New York is four or five hours behind UTC.
    expect([-4 * HOUR_MS, -5 * HOUR_MS]).toContain(hours)
    expect(row.endTime.getTime() - row.startedAt.getTime()).toBe(48 * HOUR_MS)
    expect(await db().dropRun.findFirst({ where: { dropId: row.id } })).toMatchObject({
      startedAt: row.startedAt,
      endTime: row.endTime,
    })
    expect(await stateOf(row.id)).toBe('upcoming')
  })

  it('counts the drop against the limit of the plan as soon as it is scheduled', async () => {
    const seller = await makeSeller()
    await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await expect(publish(seller, {})).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  test.each([
    ['a time that has passed', () => later(-MINUTE_MS).toISOString(), 'START_PAST'],
    ['a time more than 30 days ahead', () => later(30 * DAY_MS + MINUTE_MS).toISOString(), 'START_TOO_FAR'],
    ['a day that does not exist', () => '2027-02-30T20:00', 'START_INVALID'],
    ['a string that is not a time', () => 'Friday at eight', 'START_INVALID'],
  ])('refuses %s and saves nothing', async (_name, startsAt, code) => {
    const seller = await makeSeller()
    const outcome = publish(seller, { startsAt: startsAt() })
    await expect(outcome).rejects.toMatchObject({ code, status: 400, field: 'startsAt' })
    expect(await db().drop.count({ where: { userId: seller.id } })).toBe(0)
    expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(0)
  })

  it('returns the created drop when its form is sent again after the start', async () => {
    const seller = await makeSeller()
    const start = later(3_000)
    const fields = { startsAt: start.toISOString(), idempotencyKey: `form_${seller.id}` }
    const first = await publish(seller, fields)
    await until('start', async () => Date.now() > start.getTime() || undefined)
    expect((await publish(seller, fields)).id).toBe(first.id)
  })
})

describe('before the start', () => {
  it('no buyer gets a hold, even if the clock of the process is wrong', async () => {
    const drop = await scheduled(later(2 * MINUTE_MS))
    // The clock of the process is five minutes slow, then right, then five minutes fast.
    for (const skewMs of [-5 * MINUTE_MS, 0, 5 * MINUTE_MS]) {
      const now = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + skewMs)
      const ctx = { ...visitor(), clock: { now: () => new Date(Date.now()) } }
      const input = { dropId: drop.id, quantity: 1, buyerToken: `t${skewMs}`, mode: 'hosted', holdMs: HOUR_MS } as const
      await expect(openHold(ctx, input)).rejects.toMatchObject({ code: 'DROP_SCHEDULED', status: 409 })
      expect(
        await takeHold(ctx, { dropId: drop.id, quantity: 1, buyerKey: `k${skewMs}`, mode: 'hosted', holdMs: 1 }),
      ).toBe(null)
      now.mockRestore()
    }
    expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
  })

  it('no buyer gets a hold on a value of an option', async () => {
    const drop = await scheduled(later(HOUR_MS), { optionName: 'Size', quantity: 3 })
    const value = await db().optionValue.create({ data: { dropId: drop.id, value: 'M', quantity: 3, position: 0 } })
    const input = { dropId: drop.id, valueId: value.id, quantity: 1, buyerKey: 'v', mode: 'hosted', holdMs: 1 } as const
    expect(await takeHold(visitor(), input)).toBeNull()
  })

  it('the database refuses to hold units even for a process that does not check the start', async () => {
    const drop = await scheduled()
    const take = db().$executeRaw`UPDATE "Drop" SET "held" = "held" + 1 WHERE "id" = ${drop.id}`
    await expect(take).rejects.toThrow('has not started')
  })

  it('the drop is not in the list of live drops', async () => {
    const drop = await scheduled(later(HOUR_MS), { isPinned: true })
    expect((await listLiveDrops(database(), 50)).map(({ id }) => id)).not.toContain(drop.id)
  })
})

it('a hold is refused until the start and granted from then on, although no job has run', async () => {
  const drop = await scheduled(later(2_000))
  const tries = []
  for (;;) {
    const [clock] = await db().$queryRaw<{ isBefore: boolean }[]>`
      SELECT clock_timestamp() < "startedAt" AS "isBefore" FROM "Drop" WHERE "id" = ${drop.id}`
    const taken = await hold(drop.id)
    tries.push({ isBefore: clock!.isBefore, isTaken: taken !== null })
    // The clock is read first, so a drop that had started by then must have granted the hold.
    if (taken || !clock!.isBefore) break
  }
  expect(tries[0]).toEqual({ isBefore: true, isTaken: false })
  expect(tries.at(-1)!.isTaken).toBe(true)
  const [first] = await db().$queryRaw<{ isAfter: boolean }[]>`
    SELECT bool_and(h."createdAt" >= d."startedAt") AS "isAfter" FROM "Hold" h JOIN "Drop" d ON d."id" = h."dropId"
     WHERE d."id" = ${drop.id}`
  expect(first).toEqual({ isAfter: true })
  expect(await stateOf(drop.id)).toBe('live')
})

describe('editing before the start', () => {
  it('changes title, price, type, units, start and duration', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    const startsAt = later(2 * DAY_MS)
    const row = await edit(seller, drop.id, {
      ...{ title: 'Cup', price: '12.50', productType: 'service', quantity: 2, duration: 24 },
      startsAt: startsAt.toISOString(),
    })
    expect(row).toMatchObject({ title: 'Cup', priceCents: 1250, productType: 'service', quantity: 2, duration: 24 })
    expect(row.startedAt).toEqual(startsAt)
    expect(row.endTime.getTime() - startsAt.getTime()).toBe(24 * HOUR_MS)
    const run = await db().dropRun.findFirstOrThrow({ where: { dropId: drop.id } })
    expect(run).toMatchObject({ quantity: 2, startedAt: startsAt, endTime: row.endTime })
  })

  it('starts a scheduled drop right away when its start is set to "now"', async () => {
    const seller = await makeSeller()
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await edit(seller, drop.id, { startsAt: 'now' })
    expect(await stateOf(drop.id)).toBe('live')
    expect(await hold(drop.id)).not.toBeNull()
  })

  it('removes and reorders pictures, but refuses to remove all of them', async () => {
    const seller = await makeSeller()
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await editDrop(as(seller), { dropId: drop.id, fields: {}, images: [photo, { ...photo, field: 'image1' }] })
    const sources = toDropView((await findPublicDrop(database(), drop.uniqueId))!).images.map(({ src }) => src)
    const row = await edit(seller, drop.id, { keepImages: [sources[2], sources[0]] })
    expect(toDropView(row).images.map(({ src }) => src)).toEqual([sources[2], sources[0]])
    expect(await db().storedObject.count({ where: { ownerId: seller.id, claimedAt: null } })).toBe(0)
    expect(await db().storedObject.count({ where: { ownerId: seller.id } })).toBe(2)
    await expect(edit(seller, drop.id, { keepImages: [] })).rejects.toMatchObject({ code: 'NO_IMAGES' })
    await expect(edit(seller, drop.id, { keepImages: [sources[1]] })).rejects.toMatchObject({ code: 'IMAGE_UNKNOWN' })
  })

  it('makes a drop digital only with a link, and only if the plan allows digital drops', async () => {
    const [pro, free] = [await makeSeller({ plan: 'pro' }), await makeSeller()]
    const startsAt = later(DAY_MS).toISOString()
    const [drop, plain] = [await publish(pro, { startsAt }), await publish(free, { startsAt })]
    const digital = { productType: 'digital', digitalFileUrl: 'https://files.example.com/a.zip' }
    await expect(edit(pro, drop.id, { productType: 'digital' })).rejects.toMatchObject({ field: 'digitalFileUrl' })
    await expect(edit(free, plain.id, digital)).rejects.toMatchObject({ code: 'PLAN_REQUIRED' })
    await edit(pro, drop.id, digital)
    expect(await db().digitalFile.findUnique({ where: { dropId: drop.id } })).toMatchObject({
      url: digital.digitalFileUrl,
    })
    await edit(pro, drop.id, { productType: 'physical' })
    expect(await db().digitalFile.count({ where: { dropId: drop.id } })).toBe(0)
  })

  it('renames the file of a digital drop after the new title, although the edit does not repeat the link', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const digital = { productType: 'digital', digitalFileUrl: 'https://files.example.com/a.zip' }
    const drop = await publish(seller, { ...digital, startsAt: later(DAY_MS).toISOString() })
    await edit(seller, drop.id, { title: 'Cup' })
    expect(await db().digitalFile.findUnique({ where: { dropId: drop.id } })).toMatchObject({ fileName: 'Cup' })
  })

  it('refuses an empty start with a message', () => {
    const [issue] = editDropSchema.safeParse({ startsAt: ' ' }).error?.issues ?? []
    expect(issue).toMatchObject({ path: ['startsAt'], message: 'Choose the date and time of the start.' })
  })

  test.each([
    ['the plan', { productType: 'service' }, 'PLAN_REQUIRED'],
    ['the start', { startsAt: '2020-01-01T00:00Z' }, 'START_PAST'],
    ['the codes', { price: '1' }, 'PRICE_BELOW_CODE'],
  ])('checks %s before it reads the photos', async (_name, fields, code) => {
    const seller = await makeSeller()
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await db().discountCode.create({ data: { dropId: drop.id, code: 'TEN', offCents: 1_000 } })
    const unreadable = { path: __filename, fileName: 'photo.jpg', field: 'image0' }
    const input = { dropId: drop.id, fields: editDropSchema.parse(fields), images: [unreadable] }
    await expect(editDrop(as(seller), input)).rejects.toMatchObject({ code })
  })

  test.each([
    ['a start that has passed', { startsAt: '2020-01-01T00:00Z', price: '9' }, 'START_PAST'],
    ['a start too far ahead', { startsAt: '2099-01-01T00:00Z', price: '9' }, 'START_TOO_FAR'],
  ])('refuses %s and changes nothing else', async (_name, fields, code) => {
    const seller = await makeSeller()
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await expect(edit(seller, drop.id, fields)).rejects.toMatchObject({ code, field: 'startsAt' })
    expect(await db().drop.findUnique({ where: { id: drop.id } })).toMatchObject({ priceCents: 2400 })
  })

  it('refuses a start after the end of a canceled Pro plan, and accepts one before it', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const until = { currentPeriodEnd: later(3 * DAY_MS), cancelAt: later(3 * DAY_MS) }
    const plan = { stripeSubscriptionId: `sub_${seller.id}`, status: 'active' as const, billingPeriod: 'monthly' }
    const canceled = { ...plan, ...until, isEntitled: true, cancelAtPeriodEnd: true }
    await db().subscription.create({ data: { userId: seller.id, ...canceled } })
    const late = { startsAt: later(20 * DAY_MS).toISOString() }
    await expect(publish(seller, late)).rejects.toMatchObject({ code: 'START_AFTER_PLAN', field: 'startsAt' })
    const drop = await publish(seller, { startsAt: later(2 * DAY_MS).toISOString() })
    await expect(edit(seller, drop.id, late)).rejects.toMatchObject({ code: 'START_AFTER_PLAN' })
    await db().subscription.update({ where: { userId: seller.id }, data: { cancelAtPeriodEnd: false } })
    await edit(seller, drop.id, late)
  })

  it('refuses a start at which one of the codes would have ended', async () => {
    const seller = await makeSeller()
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await db().discountCode.create({
      data: { dropId: drop.id, code: 'FRIENDS', percent: 10, endsAt: later(2 * DAY_MS) },
    })
    const outcome = edit(seller, drop.id, { startsAt: later(3 * DAY_MS).toISOString() })
    const text = expect.stringContaining('FRIENDS ends before this start')
    await expect(outcome).rejects.toMatchObject({ code: 'CODE_ENDS_BEFORE_START', field: 'startsAt', message: text })
    await edit(seller, drop.id, { startsAt: later(1.5 * DAY_MS).toISOString() })
    await db().discountCode.updateMany({ where: { dropId: drop.id }, data: { endedAt: new Date() } })
    await edit(seller, drop.id, { startsAt: later(3 * DAY_MS).toISOString() })
  })
})

describe('editing after the start', () => {
  it('refuses a new price, start, type or pictures, and refuses fewer units', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    for (const fields of [{ price: '9' }, { startsAt: 'now' }, { productType: 'service' }, { keepImages: [] }]) {
      await expect(edit(seller, drop.id, fields)).rejects.toMatchObject({ code: 'STARTED', status: 400 })
    }
    await expect(edit(seller, drop.id, { quantity: 1 })).rejects.toMatchObject({ code: 'QUANTITY_LOWER' })
  })

  it('refuses an edit that waited for the row lock until after the start', async () => {
    const seller = await makeSeller()
    const drop = await scheduled(later(900), { userId: seller.id })
    // Another transaction locks the row until the drop has started.
    const release = await holdRowLock(drop.id)
    const outcome = edit(seller, drop.id, { startsAt: later(DAY_MS).toISOString() })
    const refused = expect(outcome).rejects.toMatchObject({ code: 'STARTED' })
    await untilWaits('"Drop"', outcome)
    await until('started drop', async () => (await stateOf(drop.id)) === 'live')
    await release()
    await refused
  })
})

describe('events around the start', () => {
  it('canceling the start frees the drop’s place in the plan, and sends no recap', async () => {
    const seller = await makeSeller()
    const drop = await publish(seller, { startsAt: later(DAY_MS).toISOString() })
    await endDrop(as(seller), { dropId: drop.id })
    await queueRecaps(as(seller))
    expect(await stateOf(drop.id)).toBe('ended')
    expect(await db().outboxMail.count({ where: { to: seller.email } })).toBe(0)
    await publish(seller, {})
  })

  it('a drop that starts while its seller waits for the row lock is ended, not canceled', async () => {
    const seller = await makeSeller()
    const drop = await scheduled(later(900), { userId: seller.id })
    const release = await holdRowLock(drop.id)
    const ended = endDrop(as(seller), { dropId: drop.id })
    await untilWaits('"Drop"', ended)
    await until('started drop', async () => (await stateOf(drop.id)) === 'live')
    await Promise.all([ended, release()])
    await queueRecaps(as(seller))
    expect(isCanceled(toDropView((await findPublicDrop(database(), drop.uniqueId))!))).toBe(false)
    expect(await db().outboxMail.count({ where: { to: seller.email } })).toBe(1)
  })

  it('the drop of a suspended seller is paused after its start, and no buyer gets a hold', async () => {
    const seller = await makeSeller()
    const drop = await scheduled(later(-1_000), { userId: seller.id })
    await db().user.update({ where: { id: seller.id }, data: { isSuspended: true } })
    expect(await stateOf(drop.id)).toBe('paused')
    expect(await hold(drop.id)).toBeNull()
  })

  it('a scheduled drop still goes on sale after its seller was downgraded', async () => {
    const seller = await makeSeller({ plan: 'pro' })
    const drop = await scheduled(later(-1_000), { userId: seller.id, productType: 'service' })
    await db().user.update({ where: { id: seller.id }, data: { plan: 'free' } })
    expect(await hold(drop.id)).not.toBeNull()
  })

  it('an approval before the start keeps the start, and a later approval gives the drop its whole duration', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const approve = async (startedAt: Date, source: 'create' | 'edit') => {
      const drop = await scheduled(startedAt, { moderation: 'review' })
      const review = await db().moderationReview.create({
        data: { dropId: drop.id, source, category: 'drugs', createdAt: new Date(startedAt.getTime() - HOUR_MS) },
      })
      await approveReview(as(admin), { reviewId: review.id })
      return db().drop.findUniqueOrThrow({ where: { id: drop.id } })
    }
    const ahead = later(HOUR_MS)
    expect(await approve(ahead, 'create')).toMatchObject({ startedAt: ahead, moderation: 'allowed' })
    for (const source of ['create', 'edit'] as const) {
      const late = await approve(later(-HOUR_MS), source)
      expect(late.endTime.getTime() - Date.now()).toBeGreaterThan(23.9 * HOUR_MS)
    }
  })

  it('an extension after an outage applies to live drops, but not to scheduled drops', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const [drop, live] = [await scheduled(), await makeDrop()]
    await extendLiveDrops(as(admin), { hours: 2 })
    const after = await db().drop.findMany({ where: { id: { in: [drop.id, live.id] } }, orderBy: { id: 'asc' } })
    expect(after.map(({ endTime }) => endTime)).toEqual([drop.endTime, new Date(live.endTime.getTime() + 2 * HOUR_MS)])
  })
})
