// Tests the list of the keys of an ended drop that nobody bought (docs/product.md#keys).
import { GET as download } from '@/app/(seller)/recap/[dropId]/unused-keys.txt/route'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { updateDrop } from '@/lib/admin/update-drop'
import { hideDrops } from '@/lib/drops/hide-drops'
import { keyTexts } from '@/lib/drops/keys/key-messages'
import { listUnusedKeys } from '@/lib/drops/keys/list-unused-keys'
import { getSellerDrop } from '@/lib/drops/queries'
import { renewDrops } from '@/lib/drops/renew-drops'
import { systemContext, transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { keysOf, makeKeyedDrop, someKeys } from '@/tests/support/make-keyed-drop'
import { holdUnits, payFor, sellUnits } from '@/tests/support/sell-units'
import { requestWith, signIn } from '@/tests/support/signed-request'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

const adminContext = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const ended = () => ({ startedAt: new Date(Date.now() - 50 * HOUR_MS), endTime: new Date(Date.now() - 25 * HOUR_MS) })

it('the seller lists them once the drop has ended, without those of buyers', async () => {
  const seller = await makeSeller()
  const ctx = contextFor(actorOf(seller))
  const drop = await makeKeyedDrop(someKeys(4), { userId: seller.id })
  await sellUnits(drop.id, 1)
  const list = () => listUnusedKeys(ctx, { dropId: drop.id })
  await expect(list()).rejects.toMatchObject({ code: 'KEYS_ON_SALE', status: 409, message: keyTexts.onSale })
  await db().drop.update({ where: { id: drop.id }, data: ended() })
  expect(await list()).toEqual(['KEY-00002', 'KEY-00003', 'KEY-00004'])
})

it('a link on a page of another site does not count as the seller’s download', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id, ...ended() })
  const cookie = await signIn(seller.id)
  const open = (site: string) => {
    const request = requestWith(cookie, '/recap', { method: 'GET', headers: { 'sec-fetch-site': site } })
    return download(request, { params: Promise.resolve({ dropId: String(drop.id) }) })
  }
  const recorded = () => db().auditEntry.count({ where: { action: 'drop.keys', targetId: String(drop.id) } })
  for (const site of ['cross-site', 'same-site']) expect([site, (await open(site)).status]).toEqual([site, 403])
  expect(await recorded()).toBe(0)
  // A browser says `none` when the seller opens the address from the history or a bookmark.
  for (const site of ['same-origin', 'none']) expect([site, (await open(site)).status]).toEqual([site, 200])
  expect(await recorded()).toBe(1)
})

it('an ended run whose keys the seller has downloaded is not put back on sale', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  const endTime = new Date(Date.now() - HOUR_MS)
  await db().drop.update({ where: { id: drop.id }, data: { endTime, archivedAt: new Date(), isActive: false } })
  const admin = await adminContext()
  const extend = () =>
    extendLiveDrops(admin, { hours: 3, endedSince: new Date(endTime.getTime() - 1_000).toISOString() })
  await listUnusedKeys(contextFor(actorOf(seller)), { dropId: drop.id })
  await listUnusedKeys(contextFor(actorOf(seller)), { dropId: drop.id })
  expect(await db().auditEntry.count({ where: { action: 'drop.keys', targetId: String(drop.id) } })).toBe(1)
  expect((await extend()).returned).toBe(0)
  const restore = updateDrop(admin, drop.id, { action: 'restore', hours: 3 })
  await expect(restore).rejects.toMatchObject({ code: 'KEYS_TAKEN', status: 409 })
  // The seller may sell the keys again, and nobody has downloaded those of the next run.
  await db().drop.update({ where: { id: drop.id }, data: { run: 2, endTime: new Date(), archivedAt: null } })
  await updateDrop(admin, drop.id, { action: 'restore', hours: 3 })
})

it('an archived run whose keys the seller has downloaded becomes visible again after a removal, but stays ended', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  const admin = await adminContext()
  await updateDrop(admin, drop.id, { action: 'archive' })
  await listUnusedKeys(contextFor(actorOf(seller)), { dropId: drop.id })
  await transaction(admin, (tx) => hideDrops(tx, [drop.id]))
  await expect(updateDrop(admin, drop.id, { action: 'restore', hours: 3 })).rejects.toMatchObject({
    code: 'KEYS_TAKEN',
  })
  await updateDrop(admin, drop.id, { action: 'restore' })
  const shown = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
  expect(shown).toMatchObject({ hiddenAt: null, isActive: false, archivedAt: expect.any(Date) })
})

it('a run that was archived before its end is not restored once the seller has downloaded its keys', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  const admin = await adminContext()
  await updateDrop(admin, drop.id, { action: 'archive' })
  expect(await listUnusedKeys(contextFor(actorOf(seller)), { dropId: drop.id })).toHaveLength(2)
  for (const hours of [undefined, 3]) {
    const restore = updateDrop(admin, drop.id, { action: 'restore', ...(hours ? { hours } : {}) })
    await expect(restore).rejects.toMatchObject({ code: 'KEYS_TAKEN', status: 409 })
  }
})

it('auto-renew does not sell keys that the seller has downloaded while it was off', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  await sellUnits(drop.id, 1)
  const endTime = new Date(Date.now() - HOUR_MS)
  await db().drop.update({ where: { id: drop.id }, data: { endTime, archivedAt: new Date(), isActive: false } })
  const setDue = (renewDueAt: Date) => db().dropRun.updateMany({ where: { dropId: drop.id }, data: { renewDueAt } })
  await setDue(new Date(Date.now() + 23 * HOUR_MS))
  const ctx = contextFor(actorOf(seller))
  expect(await listUnusedKeys(ctx, { dropId: drop.id })).toEqual(['KEY-00002'])
  await db().user.update({ where: { id: seller.id }, data: { autoRenewDrops: true } })
  expect((await getSellerDrop(ctx, drop.id, seller.id)).returnsAt).toBeNull()
  await setDue(new Date(Date.now() - 1_000))
  await renewDrops(systemContext('archive'))
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ run: 1, isActive: false })
})

it('the keys that open checkouts would get are left out until these checkouts end', async () => {
  const seller = await makeSeller()
  const ctx = contextFor(actorOf(seller))
  const drop = await makeKeyedDrop(someKeys(4), { userId: seller.id })
  const [one, two] = [await holdUnits(drop.id, 1), await holdUnits(drop.id, 1)]
  await db().drop.update({ where: { id: drop.id }, data: ended() })
  const list = () => listUnusedKeys(ctx, { dropId: drop.id })
  expect(await list()).toEqual(['KEY-00003', 'KEY-00004'])
  expect(await payFor(one)).toBe('paid')
  expect(await keysOf(one.orderId)).toEqual(['KEY-00001'])
  expect(await list()).toEqual(['KEY-00003', 'KEY-00004'])
  // A checkout that lost its units to another buyer can still be paid.
  await releaseHold(visitor(), two.holdId, 'yielded')
  expect(await list()).toEqual(['KEY-00003', 'KEY-00004'])
  await db().hold.update({ where: { id: two.holdId }, data: { reason: 'expired' } })
  expect(await list()).toEqual(['KEY-00002', 'KEY-00003', 'KEY-00004'])
})

it('there is no list while auto-renew is going to sell the keys', async () => {
  const seller = await makeSeller({ plan: 'pro', autoRenewDrops: true })
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  await sellUnits(drop.id, 1)
  await db().drop.update({ where: { id: drop.id }, data: { endTime: new Date(Date.now() - HOUR_MS) } })
  const renewDueAt = new Date(Date.now() + 23 * HOUR_MS)
  await db().dropRun.updateMany({ where: { dropId: drop.id }, data: { renewDueAt } })
  const list = () => listUnusedKeys(contextFor(actorOf(seller)), { dropId: drop.id })
  await expect(list()).rejects.toMatchObject({ code: 'KEYS_ON_SALE', message: keyTexts.onSaleAgain })
  await db().user.update({ where: { id: seller.id }, data: { autoRenewDrops: false } })
  expect(await list()).toEqual(['KEY-00002'])
})

it('a drop that an administrator extends at the same moment has no list', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id, ...ended() })
  let listed: Promise<unknown> | undefined
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "Drop" WHERE "id" = ${drop.id} FOR NO KEY UPDATE`
    listed = listUnusedKeys(contextFor(actorOf(seller)), { dropId: drop.id }).catch(
      ({ code }: { code: string }) => code,
    )
    expect(await untilWaits('FOR NO KEY UPDATE', listed)).toBe(true)
    await tx.drop.update({ where: { id: drop.id }, data: { endTime: new Date(Date.now() + HOUR_MS) } })
  })
  expect(await listed).toBe('KEYS_ON_SALE')
})

it('a run whose keys the seller downloads while an administrator extends all drops stays ended', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  const endTime = new Date(Date.now() - HOUR_MS)
  await db().drop.update({ where: { id: drop.id }, data: { endTime, archivedAt: new Date(), isActive: false } })
  const admin = await adminContext()
  const ctx = contextFor(actorOf(seller))
  let extended: Promise<{ returned: number }> | undefined
  await transaction(ctx, async (tx) => {
    expect(await listUnusedKeys(tx, { dropId: drop.id })).toHaveLength(2)
    const endedSince = new Date(endTime.getTime() - 1_000).toISOString()
    extended = extendLiveDrops(admin, { hours: 3, endedSince })
    expect(await untilWaits('FOR NO KEY UPDATE', extended)).toBe(true)
  })
  expect((await extended)?.returned).toBe(0)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ endTime, isActive: false })
})

it('nobody else lists them, and neither a drop without keys nor a deleted one has any', async () => {
  const seller = await makeSeller()
  const ctx = contextFor(actorOf(seller))
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id, ...ended() })
  const stranger = contextFor(actorOf(await makeSeller()))
  const plain = await makeDrop({ userId: seller.id, ...ended() })
  const refusal = { code: 'NOT_FOUND', status: 404 }
  await expect(listUnusedKeys(stranger, { dropId: drop.id })).rejects.toMatchObject(refusal)
  await expect(listUnusedKeys(ctx, { dropId: plain.id })).rejects.toMatchObject(refusal)
  await expect(listUnusedKeys(ctx, { dropId: 0 })).rejects.toMatchObject(refusal)
  await hideDrops(ctx, [drop.id])
  await expect(listUnusedKeys(ctx, { dropId: drop.id })).rejects.toMatchObject(refusal)
})
