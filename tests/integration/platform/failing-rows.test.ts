// A row on which a job always fails must not keep the rows of other people waiting. Here a trigger refuses every email
// to an address that begins with "broken", and every change of a hold, a run or a late order of one drop.
import type { Drop } from '@prisma/client'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { releaseUnopened } from '@/lib/checkout/hold/release-unopened'
import { renewDrops } from '@/lib/drops/renew-drops'
import { flushCollectors } from '@/lib/infra/collector'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { queueRecaps } from '@/lib/payouts/queue-recaps'
import { refundUnanswered } from '@/lib/refunds/refund-late-order'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { nudgeLateShipping } from '@/lib/shipping/nudge-late-shipping'
import { notifyOfCanceledStarts, notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { makeDrop, makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'
import { ageHolds } from '@/tests/support/shop'
import { until } from '@/tests/support/until'
import { hold, stock } from '../checkout/hold-support'

const job = () => systemContext('test')
const later = (ms: number) => new Date(Date.now() + ms)
const midnight = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS)
const address = (kind: string) => `${kind}-${newId('n').toLowerCase()}@example.com`
const countMails = (to: string) => db().outboxMail.count({ where: { to } })

beforeAll(async () => {
  await db().$executeRawUnsafe('CREATE TABLE "BrokenDrop" ("id" integer)')
  await db().$executeRawUnsafe(`
    CREATE FUNCTION refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_TABLE_NAME = 'OutboxMail' THEN
        IF NEW."to" LIKE 'broken%' THEN RAISE EXCEPTION 'this address is broken'; END IF;
      ELSIF TG_TABLE_NAME = 'ShippingDelay' THEN
        IF EXISTS (SELECT FROM "BrokenDrop" b JOIN "Order" o ON o."dropId" = b."id" WHERE o."id" = NEW."orderId")
        THEN RAISE EXCEPTION 'this drop is broken'; END IF;
      ELSIF EXISTS (SELECT FROM "BrokenDrop" b WHERE b."id" = NEW."dropId") THEN RAISE EXCEPTION 'this drop is broken';
      END IF;
      RETURN NEW; END $$`)
  for (const [table, event] of [
    ['OutboxMail', 'INSERT'],
    ['Hold', 'UPDATE OF "state"'],
    ['DropRun', 'UPDATE OF "renewDueAt"'],
    ['ShippingDelay', 'UPDATE'],
  ]) {
    await db().$executeRawUnsafe(
      `CREATE TRIGGER refuse_broken BEFORE ${event} ON "${table}" FOR EACH ROW EXECUTE FUNCTION refuse_broken()`,
    )
  }
})
afterAll(async () => {
  await db().$executeRawUnsafe('DROP FUNCTION refuse_broken CASCADE')
  await db().$executeRawUnsafe('DROP TABLE "BrokenDrop"')
  await flushCollectors()
  await closeDatabase()
})

/** Makes what a job has to send, for a broken address and then for a working one, which is returned. */
async function bothKinds(make: (email: string) => Promise<unknown>): Promise<string> {
  const works = address('works')
  await make(address('broken'))
  await make(works)
  return works
}

/** Runs a job a few times, as the scheduler does. One run has to fail, so that an operator hears of the broken row. */
async function runOften(run: () => Promise<unknown>): Promise<void> {
  const runs = []
  for (let turn = 0; turn < 3; turn += 1) runs.push(await run().catch(String))
  expect(runs.join()).toContain('is broken')
}

it('a recap that cannot be queued does not keep the others from being sent', async () => {
  const works = await bothKinds(async (email) => {
    const seller = await makeSeller({ email })
    const times = { startedAt: later(-DAY_MS), endTime: later(-MINUTE_MS) }
    const { id, quantity } = await makeDrop({ userId: seller.id, ...times })
    await db().dropRun.create({ data: { dropId: id, run: 1, quantity, recapDueAt: later(-MINUTE_MS), ...times } })
  })
  await runOften(() => queueRecaps(job()))
  expect(await countMails(works)).toBe(1)
})

it('an email to a follower that cannot be queued does not keep the followers of other sellers from getting theirs', async () => {
  const works = await bothKinds(async (email) => {
    const seller = await makeSeller()
    const agreed = { confirmedAt: new Date(), page: '/', consentText: 'Yes' }
    await db().follower.create({ data: { sellerId: seller.id, email, mailbox: email, tokenHash: email, ...agreed } })
    await makeDrop({ userId: seller.id, startedAt: later(-MINUTE_MS), endTime: later(DAY_MS) })
  })
  await runOften(() => notifyFollowers(job()))
  expect(await countMails(works)).toBe(1)
})

const addWaiting = (dropId: number, email: string, data: object) =>
  db().waitlistEntry.create({
    data: { dropId, email, mailbox: email, tokenHash: email, confirmedAt: new Date(), waitsForStart: true, ...data },
  })

it('a reminder that cannot be queued does not keep other people from being reminded', async () => {
  const works = await bothKinds(async (email) => {
    const { id } = await makeDrop({ startedAt: later(5 * MINUTE_MS), endTime: later(DAY_MS) })
    await addWaiting(id, email, { run: 0 })
  })
  await runOften(() => notifyWaitlist(job()))
  expect(await countMails(works)).toBe(1)
})

it('news of a canceled start that cannot be queued do not keep other people from being told', async () => {
  const works = await bothKinds(async (email) => {
    const at = later(-MINUTE_MS)
    const { id } = await makeDrop({ startedAt: at, endTime: at, archivedAt: at })
    await addWaiting(id, email, { run: 0, notifiedRun: 1 })
  })
  await runOften(() => notifyOfCanceledStarts(job()))
  expect(await countMails(works)).toBe(1)
})

it('a late order about which nobody can be asked does not keep the buyers of other orders from being asked', async () => {
  const works = await bothKinds(async (buyerEmail) =>
    makePaidOrders(await makeSeller(), [{ buyerEmail, shipsBy: midnight(-3) }]),
  )
  await runOften(() => askAboutDelays(job()))
  expect(await countMails(works)).toBe(1)
})

it('a seller who cannot be reminded of parcels does not keep other sellers from being reminded', async () => {
  const works = await bothKinds(async (email) =>
    makePaidOrders(await makeSeller({ email }), [{ shipsBy: midnight(1), daysAgo: 5 }]),
  )
  await runOften(() => nudgeLateShipping(job()))
  expect(await countMails(works)).toBe(1)
})

/** Makes orders of one drop that are late and whose buyers did not answer in time. */
async function makeUnanswered(count: number, isBroken: boolean): Promise<string> {
  const late = { shipsBy: midnight(-9), daysAgo: 20 }
  const [order, ...others] = await makePaidOrders(
    await makeSeller(),
    Array.from({ length: count }, () => late),
  )
  if (!order) throw new Error('no order was made')
  const day = { missedDay: midnight(-9), newDay: midnight(-2), askedAt: later(-8 * DAY_MS), answerBy: later(-HOUR_MS) }
  await db().shippingDelay.createMany({ data: [order, ...others].map(({ id }) => ({ orderId: id, ...day })) })
  if (isBroken) await db().$executeRaw`INSERT INTO "BrokenDrop" VALUES (${order.dropId})`
  return order.id
}

it('late orders that cannot be refunded do not keep the buyers of other orders from getting their money back', async () => {
  await makeUnanswered(21, true)
  const works = await makeUnanswered(1, false)
  await until('refund', async () => {
    await refundUnanswered(job()).catch(() => undefined)
    return (await db().shippingDelay.findFirstOrThrow({ where: { orderId: works } })).answeredAt
  })
  await expect(refundUnanswered(job())).rejects.toThrow(/is broken/)
})

it('a drop that cannot be renewed does not keep the drops of other sellers from being renewed', async () => {
  const makeDue = async (isBroken: boolean) => {
    const { id: userId } = await makeSeller({ autoRenewDrops: true })
    const times = { startedAt: later(-3 * DAY_MS), endTime: later(-2 * DAY_MS) }
    const { id, quantity } = await makeDrop({ userId, sold: 1, purchases: 1, archivedAt: later(-2 * DAY_MS), ...times })
    const renewDueAt = later(-(isBroken ? 2 : 1) * HOUR_MS)
    await db().dropRun.create({ data: { dropId: id, run: 1, quantity, renewDueAt, ...times } })
    if (isBroken) await db().$executeRaw`INSERT INTO "BrokenDrop" VALUES (${id})`
    return id
  }
  await makeDue(true)
  const works = await makeDue(false)
  await expect(renewDrops(job())).rejects.toThrow(/is broken/)
  expect(await db().drop.findUniqueOrThrow({ where: { id: works } })).toMatchObject({ run: 2 })
})

/** Makes a drop with four units, of which all are held. */
async function heldDrop(isBroken: boolean): Promise<Drop> {
  const drop = await makeDrop({ quantity: 4 })
  for (let taken = 0; taken < 4; taken += 1) await hold(drop.id)
  if (isBroken) await db().$executeRaw`INSERT INTO "BrokenDrop" VALUES (${drop.id})`
  return drop
}

it('a hold that cannot be yielded does not keep the units of other drops from going back on sale', async () => {
  const [broken, works] = [await heldDrop(true), await heldDrop(false)]
  for (const { id } of [broken, works]) await ageHolds(id, 11 * 60)
  await runOften(() => yieldHolds(job()))
  expect(await stock(broken.id)).toEqual({ sold: 0, held: 4 })
  expect(await stock(works.id)).toEqual({ sold: 0, held: 2 })
})

it('an expired hold that cannot be released does not keep the units of other drops in checkout', async () => {
  const [broken, works] = [await heldDrop(true), await heldDrop(false)]
  const dropId = { in: [broken.id, works.id] }
  await db().hold.updateMany({ where: { dropId }, data: { expiresAt: later(-HOUR_MS) } })
  await releaseUnopened(job())
  expect(await stock(broken.id)).toEqual({ sold: 0, held: 4 })
  expect(await stock(works.id)).toEqual({ sold: 0, held: 0 })
})
