// Without a limit, a seller could repeat some calls until every query of the drop is slow, or until people get very
// many emails. These tests check the limits of these calls.
import { createCode } from '@/lib/drops/codes/create-code'
import { assertMayPublish } from '@/lib/drops/create-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { editDropSchema } from '@/lib/drops/schema'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { MAX_STORED_BYTES } from '@/lib/uploads/rules'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

async function makeOwned(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, quantity: 5, ...overrides })
  const { startedAt, endTime, quantity } = drop
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity, startedAt, endTime } })
  const ctx = contextFor(actorOf(seller))
  const edit = (fields: object) => editDrop(ctx, { dropId: drop.id, fields: editDropSchema.parse(fields), images: [] })
  const note = (count: number, reason: string) =>
    db().runChange.createMany({
      data: Array.from({ length: count }, () => ({ dropId: drop.id, run: 1, reason, authorId: seller.id })),
    })
  return { seller, drop, ctx, edit, note }
}

it('a seller changes the units of one run at most 200 times, and can still end the drop', async () => {
  const { drop, ctx, edit, note } = await makeOwned()
  await note(199, 'units')
  await edit({ quantity: 6 })
  await expect(edit({ quantity: 7 })).rejects.toMatchObject({ code: 'CHANGED_OFTEN', status: 409 })
  await edit({ description: 'Only the text changes.' })
  await endDrop(ctx, { dropId: drop.id })
  expect(await db().runChange.count({ where: { dropId: drop.id } })).toBe(201)
})

it('a seller moves the start of one run at most ten times', async () => {
  const startedAt = new Date(Date.now() + DAY_MS)
  const { edit, note } = await makeOwned({ startedAt, endTime: new Date(startedAt.getTime() + DAY_MS) })
  await note(9, 'rescheduled')
  const moved = (hours: number) => edit({ startsAt: new Date(startedAt.getTime() + hours * HOUR_MS).toISOString() })
  await moved(1)
  await expect(moved(2)).rejects.toMatchObject({ code: 'MOVED_OFTEN', field: 'startsAt' })
})

it('a drop has at most 200 discount codes in all, however many of them have ended', async () => {
  const { drop, ctx } = await makeOwned()
  const code = (name: string) =>
    createCode(ctx, {
      dropId: drop.id,
      code: name,
      percent: 10,
      offCents: null,
      maxUses: null,
      perBuyer: null,
      endsAt: null,
    })
  await db().discountCode.createMany({
    data: Array.from({ length: 199 }, (_, at) => ({
      ...{ dropId: drop.id, code: `OLD${at}`, percent: 10, endedAt: new Date() },
    })),
  })
  await code('LAST')
  await expect(code('MORE')).rejects.toMatchObject({ code: 'TOO_MANY_CODES' })
})

it('an account whose stored files take up all its space may not send more', async () => {
  const { seller, ctx } = await makeOwned()
  await assertMayPublish(ctx, { productType: 'physical' })
  await db().storedObject.create({
    data: { key: `files/${newSecret()}`, bytes: MAX_STORED_BYTES, ownerId: seller.id, claimedAt: new Date() },
  })
  await expect(assertMayPublish(ctx, { productType: 'physical' })).rejects.toMatchObject({ code: 'STORAGE_FULL' })
})
