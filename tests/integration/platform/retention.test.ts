// Checks each rule of docs/operations.md#how-long-data-is-kept just before and just after its time limit.
import type { User } from '@prisma/client'
import { closeAccount } from '@/lib/closure/close-account'
import { visitorKey } from '@/lib/drops/analytics/count-view'
import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { countUse, usesOf } from '@/lib/infra/rate-limit'
import { runArchive } from '@/lib/jobs/run-archive'
import { runRetention } from '@/lib/jobs/run-retention'
import { newId } from '@/lib/kernel/id'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { composeMail, type MailKey, type MailKind } from '@/lib/notifications/compose-mail'
import { listMail } from '@/lib/notifications/queries'
import { queueMail } from '@/lib/notifications/queue-mail'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { getRecap } from '@/lib/payouts/get-recap'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const job = () => systemContext('archive')
/** Returns the time this many days ago. One hour more or less keeps a test from depending on the exact second. */
const daysAgo = (days: number, hours = 0) => new Date(Date.now() - days * DAY_MS - hours * HOUR_MS)
const content = { subject: 'Hello', preview: 'p', heading: 'Hello', paragraphs: ['A secret link.'] }

async function addMail(
  to: string,
  { kind = 'sale' as MailKind, createdAt = new Date(), sentAt = null as Date | null } = {},
) {
  const mail = composeMail(to, `${kind}:${newId('k')}`, content)
  await queueMail(job(), [mail])
  return db().outboxMail.update({ where: { dedupeKey: mail.dedupeKey }, data: { createdAt, sentAt, html: '<p>' } })
}
const mailNow = (id: number) => db().outboxMail.findUnique({ where: { id } })
const EMPTIED = { to: '', subject: '', text: '', content: null, html: null, lastError: null }

test('emails lose their address and content after 30 days, and their row is deleted after 400', async () => {
  const young = await addMail('young@example.com', { createdAt: daysAgo(30, -1), sentAt: daysAgo(30, -1) })
  const old = await addMail('old@example.com', { createdAt: daysAgo(30, 1), sentAt: daysAgo(30) })
  const givenUp = await addMail('gone@example.com', { createdAt: daysAgo(30, 1) })
  const ancient = await addMail('ancient@example.com', { createdAt: daysAgo(400, 1), sentAt: daysAgo(400) })
  await runRetention(job())
  expect(await mailNow(young.id)).toEqual(young)
  expect(await mailNow(old.id)).toMatchObject({ ...EMPTIED, dedupeKey: old.dedupeKey })
  expect(await mailNow(givenUp.id)).toMatchObject(EMPTIED)
  expect(await mailNow(ancient.id)).toBeNull()
  // The emptied row still prevents the email from being queued twice, and the list of emails leaves it out.
  expect(await queueMail(job(), [composeMail('old@example.com', old.dedupeKey as MailKey, content)])).toBe(0)
  expect((await listMail(database())).map(({ to }) => to)).not.toContain('')
})

test('sessions and links are deleted a day after they end, and former usernames when their reservation ends', async () => {
  const { id: userId } = await makeSeller()
  const session = (id: string, expiresAt: Date, revokedAt: Date | null = null) =>
    db().session.create({ data: { id, userId, ip: '203.0.113.9', expiresAt, revokedAt } })
  const soon = new Date(Date.now() + DAY_MS)
  await session('open', soon)
  await session('just-expired', daysAgo(1, -1))
  await session('expired', daysAgo(1, 1))
  await session('just-revoked', soon, daysAgo(1, -1))
  await session('revoked', soon, daysAgo(1, 1))
  for (const [tokenHash, expiresAt] of [
    ['t-open', soon],
    ['t-just', daysAgo(1, -1)],
    ['t-old', daysAgo(1, 1)],
  ] as const)
    await db().token.create({ data: { userId, purpose: 'emailConfirm', tokenHash, expiresAt } })
  for (const [username, reservedUntil] of [
    ['kept-name', soon],
    ['free-name', daysAgo(0, 1)],
  ] as const)
    await db().reservedUsername.create({ data: { username, redirectsUntil: daysAgo(60), reservedUntil } })
  await runRetention(job())
  const sessions = await db().session.findMany({ where: { userId }, orderBy: { id: 'asc' } })
  expect(sessions.map(({ id }) => id)).toEqual(['just-expired', 'just-revoked', 'open'])
  const tokens = await db().token.findMany({ where: { userId }, orderBy: { id: 'asc' } })
  expect(tokens.map(({ tokenHash }) => tokenHash)).toEqual(['t-open', 't-just'])
  const names = await db().reservedUsername.findMany({ where: { username: { endsWith: '-name' } } })
  expect(names.map(({ username }) => username)).toEqual(['kept-name'])
})

test('events of Stripe are deleted after 90 days, and those that were never handled are closed after 30', async () => {
  const event = (id: string, receivedAt: Date, handledAt: Date | null) =>
    db().webhookEvent.create({ data: { id, type: 'charge.updated', objectId: 'x', receivedAt, handledAt } })
  await event('evt_young', daysAgo(90, -1), daysAgo(90))
  await event('evt_old', daysAgo(90, 1), daysAgo(90))
  await event('evt_failed', daysAgo(30, -1), null)
  await event('evt_gone', daysAgo(30, 1), null)
  await runRetention(job())
  const left = await db().webhookEvent.findMany({ where: { id: { startsWith: 'evt_' } }, orderBy: { id: 'asc' } })
  expect(left.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['evt_failed', null],
    ['evt_gone', 'gone'],
    ['evt_young', null],
  ])
  // Stripe no longer has such an event, so nobody could end its alert.
  expect(left[1]?.handledAt).not.toBeNull()
  // An unhandled event of this age violates the doctor's invariant I7, so it must not stay for the other tests.
  await db().webhookEvent.delete({ where: { id: 'evt_failed' } })
})

/** Returns what Live Analytics and the recap of the first run show, without the time at which they were read. */
async function readFigures(seller: User, dropId: number) {
  const ctx = contextFor(actorOf(seller))
  const { serverTime: _, ...analytics } = await getAnalytics(ctx, { dropId })
  return { analytics, recap: await getRecap(ctx, { dropId, run: 1, sellerId: seller.id }) }
}

test('rows of visitors are deleted after 60 days, and the charts and totals stay the same', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, views: 2 })
  const who = visitorKey(visitor(), { userAgent: 'Mozilla/5.0' }) ?? ''
  const day = (days: number) => new Date(daysAgo(days).toISOString().slice(0, 10))
  for (const days of [60, 61]) {
    await db().dropView.create({ data: { dropId: drop.id, day: day(days), visitor: who } })
    await db().dropTap.create({ data: { dropId: drop.id, day: day(days), visitor: who } })
  }
  const read = () => readFigures(seller, drop.id)
  const before = await read()
  await runRetention(job())
  expect((await db().dropView.findMany({ where: { dropId: drop.id } })).map((row) => row.day)).toEqual([day(60)])
  expect((await db().dropTap.findMany({ where: { dropId: drop.id } })).map((row) => row.day)).toEqual([day(60)])
  expect(await read()).toEqual(before)
})

/** Makes a drop whose run ended `days` ago, with one buyer who paid and one who did not. */
async function endedShop(days: number) {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id })
  const bought = await openCheckout(drop.id)
  await pay(bought.url)
  await settleCheckout(job(), bought.sessionId)
  const left = await openCheckout(drop.id)
  await standInExpires(left.sessionId)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { settledAt: daysAgo(40) } })
  const times = { startedAt: daysAgo(days + 1), endTime: daysAgo(days, 1) }
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, sold: 1, ...times } })
  await db().drop.update({
    where: { id: drop.id },
    data: { ...times, archivedAt: daysAgo(days), isActive: false },
  })
  const orderOf = (stripeSessionId: string) =>
    db().order.findUniqueOrThrow({ where: { stripeSessionId }, include: { hold: true, purchase: true } })
  const figures = () => readFigures(seller, drop.id)
  return { figures, paid: () => orderOf(bought.sessionId), unpaid: () => orderOf(left.sessionId) }
}

async function standInExpires(sessionId: string) {
  await job().stripe().checkout.sessions.expire(sessionId)
  await settleCheckout(job(), sessionId)
}

test('30 days after the end of a run, the personal data of people who did not buy is removed', async () => {
  const { paid, unpaid, figures } = await endedShop(30)
  const [sale, before, offer] = [await paid(), await figures(), await unpaid()]
  expect([offer.status, offer.purchase === null, offer.hold.buyerKey === '']).toEqual(['expired', false, false])
  await runRetention(job())
  expect(await unpaid()).toMatchObject({
    status: 'expired',
    amountCents: offer.amountCents,
    checkoutUrl: null,
    purchase: null,
    hold: { state: 'released', buyerKey: '', workId: null, source: offer.hold.source },
  })
  // The paid order keeps its evidence, and the seller's figures are the same as before.
  expect(await paid()).toEqual(sale)
  expect(sale.purchase).not.toBeNull()
  expect(before.recap?.checkouts).toMatchObject({ unpaid: 1 })
  expect(await figures()).toEqual(before)
})

test.each([
  ['the run ended 29 days ago', 29, {}],
  ['a refund of its payment is recorded', 30, { refund: true }],
  ['its units were released but it can still be paid', 30, { reason: 'yielded' }],
])('the evidence of a checkout stays while %s', async (_what, days, { refund, reason }: Record<string, unknown>) => {
  const { unpaid } = await endedShop(days)
  const { id: orderId, holdId } = await unpaid()
  if (refund) {
    const data = {
      id: newId('ref'),
      orderId,
      amountCents: 100,
      platformFeeCents: 0,
      reason: 'x',
      requestedBy: 'mismatch',
    }
    await db().refund.create({ data: { ...data, state: 'declined' } })
  }
  if (reason) await db().hold.update({ where: { id: holdId }, data: { reason: String(reason) } })
  const before = await unpaid()
  await runRetention(job())
  expect(await unpaid()).toEqual(before)
  expect(before.purchase).not.toBeNull()
})

test('email addresses of people who no longer wait are deleted, and a new request keeps an entry', async () => {
  const drop = await makeDrop({ quantity: 1, startedAt: daysAgo(2), endTime: daysAgo(1), archivedAt: new Date() })
  const deleted = await makeDrop({ hiddenAt: daysAgo(30, 1) })
  const entry = (email: string, data: object, dropId = drop.id) =>
    db().waitlistEntry.create({
      data: {
        dropId,
        email,
        mailbox: email,
        tokenHash: newId('t'),
        createdAt: daysAgo(20),
        confirmedAt: daysAgo(20),
        ...data,
      },
    })
  await entry('waits@example.com', {})
  await entry('never@example.com', { confirmedAt: null, createdAt: daysAgo(7, 1) })
  await entry('maybe@example.com', { confirmedAt: null, createdAt: daysAgo(7, -1) })
  await entry('again@example.com', { confirmedAt: null, createdAt: daysAgo(9) })
  await entry('left@example.com', { unsubscribedAt: daysAgo(7, 1) })
  await entry('leaving@example.com', { unsubscribedAt: daysAgo(7, -1) })
  await entry('hidden@example.com', {}, deleted.id)
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email: 'again@example.com' })
  await runRetention(job())
  const left = await db().waitlistEntry.findMany({ where: { dropId: { in: [drop.id, deleted.id] } } })
  expect(left.map(({ email }) => email).toSorted()).toEqual(
    ['again', 'leaving', 'maybe', 'waits'].map((name) => `${name}@example.com`),
  )
})

test('a deleted account leaves no email to its address, except waiting emails about money and the notice of the deletion', async () => {
  const seller = await makeSeller({ emailConfirmedAt: new Date() })
  const sent = await addMail(seller.email, { sentAt: new Date() })
  const receipt = await addMail(seller.email, { kind: 'receipt' })
  const news = await addMail(seller.email, { kind: 'follow-live' })
  const other = await addMail('somebody-else@example.com', { sentAt: new Date() })
  await closeAccount(systemContext('test'), seller.id, { check: () => undefined })
  expect(await mailNow(sent.id)).toMatchObject(EMPTIED)
  expect(await mailNow(news.id)).toBeNull()
  expect(await mailNow(other.id)).toEqual(other)
  const left = await db().outboxMail.findMany({ where: { to: seller.email }, orderBy: { id: 'asc' } })
  expect(left.map(({ dedupeKey }) => dedupeKey)).toEqual([receipt.dedupeKey, `account-closed:${seller.id}`])
})

test('deleting an account with an unconfirmed address removes no email to that address, which may be someone else’s', async () => {
  const stranger = await makeSeller()
  const news = await addMail(stranger.email, { kind: 'follow-live' })
  await closeAccount(systemContext('test'), stranger.id, { check: () => undefined })
  expect(await mailNow(news.id)).toEqual(news)
})

test('the count of a limit is deleted an hour after its window has ended', async () => {
  const limit = { name: 'retention-test', points: 5, windowSeconds: 60 }
  const uses = (key: string) => usesOf(limit, key)
  await Promise.all(['old', 'young'].map((key) => countUse(limit, key)))
  const ofLimit = { key: { startsWith: `${limit.name}:` } }
  await db().rateLimit.updateMany({ where: ofLimit, data: { expire: daysAgo(0, 1).getTime() + 120_000 } })
  await runRetention(job())
  expect(await db().rateLimit.count({ where: ofLimit })).toBe(2)
  await db().rateLimit.updateMany({ where: ofLimit, data: { expire: daysAgo(0, 1).getTime() - 1 } })
  await countUse(limit, 'young')
  await runRetention(job())
  expect(await db().rateLimit.count({ where: ofLimit })).toBe(1)
  expect(await Promise.all(['old', 'young'].map(uses))).toEqual([0, 1])
})

test('the scheduled job removes what has ended, at most once in ten minutes', async () => {
  const { id: userId } = await makeSeller()
  const add = (id: string) => db().session.create({ data: { id, userId, expiresAt: daysAgo(2) } })
  await add('first')
  await runArchive(job())
  expect(await db().session.count({ where: { userId } })).toBe(0)
  await add('second')
  await runArchive(job())
  expect(await db().session.count({ where: { userId } })).toBe(1)
})

test('a backlog that is larger than a batch is removed in one run', async () => {
  const { id: userId } = await makeSeller()
  const expiresAt = daysAgo(2)
  const data = Array.from({ length: 1_100 }, (_, at) => ({ id: `backlog-${at}`, userId, expiresAt }))
  await db().session.createMany({ data })
  expect(await runRetention(job())).toBeGreaterThanOrEqual(1_100)
  expect(await db().session.count({ where: { userId } })).toBe(0)
})
