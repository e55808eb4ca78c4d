import type { Drop, User } from '@prisma/client'
import { endDrop } from '@/lib/drops/end-drop'
import { unfollowLinks } from '@/lib/followers/unfollow-links'
import { leaveSeller } from '@/lib/followers/leave-seller'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { leaveSellerSchema } from '@/lib/followers/schema'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import type { MailContent } from '@/lib/notifications/compose-mail'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { setPlatformState } from '@/lib/platform/set-platform-state'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

/** The number of followers in the test of many emails. FOLLOWERS sets another number. */
const FOLLOWERS = Number(process.env.FOLLOWERS ?? 3_000)

let count = 0
const job = () => systemContext('followers')
const later = (ms: number) => new Date(Date.now() + ms)

async function addFollower(seller: User): Promise<{ id: number; email: string }> {
  const email = `n${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
  return db().follower.create({
    data: {
      sellerId: seller.id,
      email,
      mailbox: email,
      tokenHash: email,
      confirmedAt: new Date(),
      page: '/',
      consentText: 'Yes',
    },
  })
}

/** Adds many followers in one statement. */
const addFollowers = (seller: User, many: number) => db().$executeRaw`
  INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
  SELECT ${seller.id}, 'm' || ${seller.id}::text || '-' || n || '@example.com', 'm' || n, 'm' || ${seller.id}::text || '-' || n, now(), '/', 'yes'
    FROM generate_series(1, ${many}::int) n`

const startingIn = (ms: number, seller: User) =>
  makeDrop({ userId: seller.id, startedAt: later(ms), endTime: later(ms + DAY_MS) })

const change = (drop: Drop, data: Parameters<ReturnType<typeof db>['drop']['update']>[0]['data']) =>
  db().drop.update({ where: { id: drop.id }, data })

const mailsOf = (drop: Drop) =>
  db().outboxMail.findMany({
    where: { dedupeKey: { contains: `:${drop.id}:`, startsWith: 'follow-' } },
    orderBy: { id: 'asc' },
  })
const kindsOf = async (drop: Drop) => (await mailsOf(drop)).map(({ dedupeKey }) => dedupeKey.split(':')[0])

/** Makes a seller with one follower, and a drop of this seller that has just started. */
async function started() {
  const seller = await makeSeller()
  const follower = await addFollower(seller)
  return { seller, follower, drop: await startingIn(-MINUTE_MS, seller) }
}

describe('followers get', () => {
  it('one email when a drop is scheduled, one when it starts and one in its last hour, and no fourth', async () => {
    const seller = await makeSeller()
    await addFollower(seller)
    const drop = await startingIn(DAY_MS, seller)
    const run = async () => {
      await notifyFollowers(job())
      await notifyFollowers(job())
      return kindsOf(drop)
    }
    expect(await run()).toEqual(['follow-scheduled'])
    await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    await change(drop, { startedAt: later(-MINUTE_MS), endTime: later(DAY_MS) })
    expect(await run()).toEqual(['follow-scheduled', 'follow-live'])
    await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    await change(drop, { endTime: later(50 * MINUTE_MS) })
    expect(await run()).toEqual(['follow-scheduled', 'follow-live', 'follow-lastHour'])
    await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    await change(drop, { run: 2, startedAt: later(-MINUTE_MS), endTime: later(DAY_MS), sold: 0 })
    expect(await run()).toHaveLength(3)
  })

  it('one email when a start that they read about is canceled, and none in the last hour of a later run', async () => {
    const seller = await makeSeller()
    const follower = await addFollower(seller)
    const drop = await startingIn(DAY_MS, seller)
    await notifyFollowers(job())
    await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    // Someone who follows later never read about the start.
    await addFollower(seller)
    await endDrop(contextFor(actorOf(seller)), { dropId: drop.id })
    await notifyFollowers(job())
    await notifyFollowers(job())
    expect((await mailsOf(drop)).map(({ to }) => to)).toEqual([follower.email, follower.email])
    const [, canceled] = await mailsOf(drop)
    expect(canceled?.subject).toBe(`Canceled: Test mug by @${seller.username}`)
    await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    const live = {
      run: 2,
      isActive: true,
      archivedAt: null,
      startedAt: later(-MINUTE_MS),
      endTime: later(50 * MINUTE_MS),
    }
    await change(drop, live)
    await notifyFollowers(job())
    expect(await kindsOf(drop)).not.toContain('follow-lastHour')
  })

  it('emails about at most 20 drops of a seller in a day', async () => {
    const seller = await makeSeller()
    await addFollower(seller)
    for (let count = 0; count < 22; count += 1) {
      await startingIn(DAY_MS, seller)
      await notifyFollowers(job())
    }
    expect(await db().followerNotice.count({ where: { drop: { userId: seller.id } } })).toBe(20)
  })

  it('no email about a canceled start that nobody was emailed about, or that was canceled many hours ago', async () => {
    const seller = await makeSeller()
    const drop = await startingIn(DAY_MS, seller)
    await addFollower(seller)
    await endDrop(contextFor(actorOf(seller)), { dropId: drop.id })
    await notifyFollowers(job())
    expect(await mailsOf(drop)).toEqual([])
    const other = await startingIn(DAY_MS, seller)
    await notifyFollowers(job())
    await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    await change(other, { isActive: false, archivedAt: new Date(), endTime: later(-7 * HOUR_MS) })
    await notifyFollowers(job())
    expect(await kindsOf(other)).toEqual(['follow-scheduled'])
  })

  it('each email once, even if the job runs several times at once', async () => {
    const seller = await makeSeller()
    await addFollowers(seller, 900)
    const drop = await startingIn(-MINUTE_MS, seller)
    while ((await mailsOf(drop)).length < 900) {
      await Promise.all([notifyFollowers(job()), notifyFollowers(job()), notifyFollowers(job())])
      await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
    }
    await notifyFollowers(job())
    const addresses = (await mailsOf(drop)).map(({ to }) => to)
    expect([addresses.length, new Set(addresses).size]).toEqual([900, 900])
  })

  it('a bulk email that names seller and price, expires at the end of the drop, and has both unsubscribe URLs', async () => {
    const { seller, drop, follower } = await started()
    await notifyFollowers(job())
    const [mail] = await mailsOf(drop)
    expect(mail).toMatchObject({ to: follower.email, isBulk: true, isUrgent: false, expiresAt: drop.endTime })
    expect(mail?.subject).toBe(`@${seller.username}'s drop has started: Test mug`)
    expect(mail?.text).toContain('$24.00')
    expect(mail?.text).toContain(`/drop/${drop.uniqueId}`)
    expect((mail?.content as MailContent).unsubscribe).toEqual(unfollowLinks(follower.id, job().appUrl))
  })

  it('no email if they did not confirm, or follow another seller', async () => {
    const { seller, drop } = await started()
    await db().follower.updateMany({ where: { sellerId: seller.id }, data: { confirmedAt: null } })
    await addFollower(await makeSeller())
    await notifyFollowers(job())
    expect(await mailsOf(drop)).toEqual([])
  })

  it('no email about a start that was hours ago, for example when a suspension ends', async () => {
    const seller = await makeSeller()
    await addFollower(seller)
    const drop = await startingIn(-7 * HOUR_MS, seller)
    await notifyFollowers(job())
    expect(await mailsOf(drop)).toEqual([])
  })
})

type Change = (drop: Drop, seller: User) => Promise<unknown>

const obstacles: [what: string, change: Change, undo: Change][] = [
  ['is hidden', (drop) => change(drop, { hiddenAt: new Date() }), (drop) => change(drop, { hiddenAt: null })],
  ['is in review', (drop) => change(drop, { moderation: 'review' }), (drop) => change(drop, { moderation: 'allowed' })],
  ['is switched off', (drop) => change(drop, { isActive: false }), (drop) => change(drop, { isActive: true })],
  [
    'belongs to a suspended seller',
    (_drop, seller) => db().user.update({ where: { id: seller.id }, data: { isSuspended: true } }),
    (_drop, seller) => db().user.update({ where: { id: seller.id }, data: { isSuspended: false } }),
  ],
  ['is sold out', (drop) => change(drop, { sold: drop.quantity }), (drop) => change(drop, { sold: 0 })],
]

describe.each(obstacles)('while a drop %s', (_what, hinder, undo) => {
  it('no email about it is queued', async () => {
    const { seller, drop } = await started()
    await hinder(drop, seller)
    await notifyFollowers(job())
    expect(await mailsOf(drop)).toEqual([])
  })

  it('queued emails are withdrawn, and queued again afterwards', async () => {
    const { seller, drop } = await started()
    await notifyFollowers(job())
    expect(await kindsOf(drop)).toEqual(['follow-live'])
    await hinder(drop, seller)
    await notifyFollowers(job())
    expect(await mailsOf(drop)).toEqual([])
    await undo(drop, seller)
    await notifyFollowers(job())
    expect(await kindsOf(drop)).toEqual(['follow-live'])
  })
})

it('while the platform is paused no email is queued, and queued emails are withdrawn until it is open again', async () => {
  const admin = await makeSeller({ isAdmin: true })
  const { drop } = await started()
  await notifyFollowers(job())
  await setPlatformState(contextFor(actorOf(admin)), { isActive: false })
  await notifyFollowers(job())
  expect(await mailsOf(drop)).toEqual([])
  await setPlatformState(contextFor(actorOf(admin)), { isActive: true })
  await notifyFollowers(job())
  expect(await kindsOf(drop)).toEqual(['follow-live'])
})

it('a canceled start is not announced, and its queued emails are withdrawn', async () => {
  const seller = await makeSeller()
  await addFollower(seller)
  const drop = await startingIn(DAY_MS, seller)
  await notifyFollowers(job())
  expect(await kindsOf(drop)).toEqual(['follow-scheduled'])
  await change(drop, { endTime: later(-1_000), isActive: false, archivedAt: new Date() })
  await notifyFollowers(job())
  expect(await mailsOf(drop)).toEqual([])
})

it('a moved start replaces the emails that were not sent, and nobody gets a second one', async () => {
  const seller = await makeSeller()
  await addFollower(seller)
  const reached = await addFollower(seller)
  const drop = await startingIn(DAY_MS, seller)
  await notifyFollowers(job())
  await db().outboxMail.updateMany({ where: { to: reached.email }, data: { sentAt: new Date() } })
  const [before] = await mailsOf(drop)
  await change(drop, { startedAt: later(2 * DAY_MS), endTime: later(3 * DAY_MS) })
  await notifyFollowers(job())
  const after = await mailsOf(drop)
  expect(after).toHaveLength(2)
  const [sent, fresh] = after
  expect([sent?.to, sent?.sentAt === null, fresh?.subject === before?.subject]).toEqual([reached.email, false, false])
})

it('an email that may already have been sent is not withdrawn, so that it is not sent twice', async () => {
  const { drop } = await started()
  await notifyFollowers(job())
  await db().outboxMail.updateMany({ where: { sentAt: null }, data: { attempts: 1 } })
  await change(drop, { endTime: later(2 * DAY_MS) })
  await notifyFollowers(job())
  expect(await mailsOf(drop)).toHaveLength(1)
})

it('the email about the last hour says that the drop may come back if auto-renew is on, and never mentions a last chance', async () => {
  const texts: string[] = []
  for (const autoRenewDrops of [true, false]) {
    const seller = await makeSeller({ autoRenewDrops })
    await addFollower(seller)
    const drop = await makeDrop({ userId: seller.id, endTime: later(50 * MINUTE_MS) })
    await notifyFollowers(job())
    texts.push((await mailsOf(drop))[0]?.text ?? '')
  }
  expect(texts.map((text) => text.includes('It may come back after that.'))).toEqual([true, false])
  expect(texts.join()).not.toMatch(/last chance/i)
})

it('an expired email is never sent, and no email is sent after the end', async () => {
  const { drop } = await started()
  await notifyFollowers(job())
  await db().outboxMail.updateMany({ where: { sentAt: null }, data: { expiresAt: later(-1_000) } })
  expect(await sendDueMail(job())).toBe(0)
  await change(drop, { endTime: later(-1_000) })
  await notifyFollowers(job())
  expect(await mailsOf(drop)).toEqual([])
})

it('someone who leaves gets neither the queued emails nor emails about later drops', async () => {
  const { seller, follower, drop } = await started()
  await addFollower(seller)
  await notifyFollowers(job())
  const query = new URL(unfollowLinks(follower.id, 'http://x').postUrl).searchParams
  await leaveSeller(visitor(), leaveSellerSchema.parse(Object.fromEntries(query)))
  expect((await mailsOf(drop)).map(({ to }) => to)).not.toContain(follower.email)
  const next = await startingIn(-MINUTE_MS, seller)
  await notifyFollowers(job())
  expect([(await mailsOf(drop)).length, (await mailsOf(next)).length]).toEqual([1, 1])
})

it(`${FOLLOWERS} followers get their emails in batches, at a pace of 10,000 in less than five minutes`, async () => {
  await db().outboxMail.deleteMany()
  const seller = await makeSeller()
  await addFollowers(seller, FOLLOWERS)
  await startingIn(-MINUTE_MS, seller)
  // Each round stands for a second, in which both jobs run once.
  let rounds = 0
  let sent = 0
  for (; sent < FOLLOWERS && rounds < FOLLOWERS; rounds += 1) {
    await notifyFollowers(job())
    sent += await sendDueMail(job())
    expect(await db().outboxMail.count({ where: { sentAt: null } })).toBeLessThanOrEqual(500)
  }
  expect(sent).toBe(FOLLOWERS)
  // Five minutes are 300 rounds for 10,000 followers.
  expect(rounds).toBeLessThanOrEqual((FOLLOWERS * 300) / 10_000)
}, 300_000)
