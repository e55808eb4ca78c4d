import { removeDrop } from '@/lib/admin/remove-drop'
import { updateDrop } from '@/lib/admin/update-drop'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newId, newSecret } from '@/lib/kernel/id'
import { findPublicDrop } from '@/lib/drops/queries'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import { openSession } from '@/lib/checkout/open-session'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const admin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))

it('closes all 250 open checkouts of a drop, although one batch has only 200', async () => {
  const drop = await makeDrop({ quantity: 300 })
  // The holds are inserted without a session, because 250 checkouts at the Stripe stand-in would take too long.
  const ids = Array.from({ length: 250 }, () => newId('hold'))
  const seller = await db().user.findUniqueOrThrow({ where: { id: drop.userId } })
  await db().hold.createMany({
    data: ids.map((id) => ({
      ...{ id, dropId: drop.id, run: 1, mode: 'hosted' as const, buyerKey: id, quantity: 1 },
      expiresAt: new Date(Date.now() + 60_000),
    })),
  })
  await db().order.createMany({
    data: ids.map((holdId) => ({
      ...{ id: newId('ord'), token: newSecret(), holdId, dropId: drop.id, sellerId: seller.id, dropTitle: drop.title },
      ...{
        productType: 'physical' as const,
        quantity: 1,
        unitPriceCents: 2400,
        amountCents: 2400,
        platformFeeBps: 500,
      },
      ...{ platformFeeCents: 120, sellerPayoutCents: 2280, sellerPlan: 'free' as const },
    })),
  })
  await db().drop.update({ where: { id: drop.id }, data: { held: 250 } })
  const ctx = await admin()
  expect(await closeOpenCheckouts(ctx, { dropId: drop.id })).toBe(250)
  expect(await db().hold.count({ where: { dropId: drop.id, state: 'held' } })).toBe(0)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0 })
})

it('charges the price of the hold, even if the price of the drop differs when the session is opened at Stripe', async () => {
  const drop = await makeDrop({ priceCents: 2400, quantity: 5 })
  const row = await findPublicDrop(database(), String(drop.id))
  const buyer = { dropId: drop.id, quantity: 2, buyerKey: newSecret(), mode: 'hosted' as const, holdMs: HOSTED_HOLD_MS }
  const hold = await takeHold(visitor(), buyer)
  const url = await openSession(visitor(), { ...row!, priceCents: 9900 }, hold!, 2)
  const { data } = await stripe().checkout.sessions.listLineItems(new URL(url).pathname.split('/').at(-1) ?? '')
  expect(data.map(({ amount_total, price }) => [amount_total, price?.unit_amount])).toEqual([[4800, 2400]])
})

it('a drop that is taken down is neither promoted nor renewed, and the form that created it can create another drop', async () => {
  const drop = await makeDrop({ isFeatured: true, isPinned: true, creationKey: newSecret() })
  await db().dropRun.create({
    data: {
      dropId: drop.id,
      run: 1,
      quantity: 10,
      startedAt: drop.startedAt,
      endTime: drop.endTime,
      renewDueAt: new Date(),
    },
  })
  await removeDrop(await admin(), drop.id)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id }, include: { runs: true } })).toMatchObject({
    isActive: false,
    isFeatured: false,
    isPinned: false,
    creationKey: null,
    runs: [{ renewDueAt: null }],
  })
})

it('a drop loses its renewal date when an administrator moves its end, because that date belongs to the old end', async () => {
  const drop = await makeDrop()
  await db().dropRun.create({
    data: {
      dropId: drop.id,
      run: 1,
      quantity: 10,
      startedAt: drop.startedAt,
      endTime: drop.endTime,
      renewDueAt: new Date(),
    },
  })
  await updateDrop(await admin(), drop.id, { action: 'extend', hours: 5 })
  const [run] = await db().dropRun.findMany({ where: { dropId: drop.id } })
  expect(run).toMatchObject({ renewDueAt: null })
  expect(run?.endTime.getTime()).toBe(drop.endTime.getTime() + 5 * 3_600_000)
})
