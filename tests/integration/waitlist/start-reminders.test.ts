import type { Drop } from '@prisma/client'
import { suspendUser } from '@/lib/accounts/suspend-user'
import { updateAccount } from '@/lib/accounts/update-account'
import { removeDrop } from '@/lib/admin/remove-drop'
import { updateDrop } from '@/lib/admin/update-drop'
import { deleteDrop } from '@/lib/drops/delete-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { systemContext, transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { approveReview } from '@/lib/trust/approve-review'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist'
import { notifyOfCanceledStarts, notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

/** How many people are reminded in the test of the pace; REMINDERS=10000 takes some minutes. */
const REMINDERS = Number(process.env.REMINDERS ?? 600)

let count = 0
const newAddress = () => `r${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
const later = (ms: number) => new Date(Date.now() + ms)
const job = () => systemContext('waitlist')
const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })
const subjectsTo = async (to: string) => (await mailsTo(to)).map(({ subject }) => subject).slice(1)

async function scheduled(startedAt: Date, overrides: Parameters<typeof makeDrop>[0] = {}) {
  const endTime = new Date(startedAt.getTime() + DAY_MS)
  const drop = await makeDrop({ startedAt, endTime, ...overrides })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, startedAt, endTime } })
  return drop
}

async function ask(drop: Drop, email = newAddress()) {
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
  const text = (await mailsTo(email)).at(-1)?.text ?? ''
  const token = /\/remind\/confirm\?token=(\w+)/.exec(text)?.[1] ?? 'none'
  return { email, text, confirm: () => confirmWaitlist(visitor(), token) }
}

async function remind(drop: Drop) {
  const { email, confirm } = await ask(drop)
  await confirm()
  return email
}

/** Moves the start directly in the database, because queued reminders are removed when the seller moves the start. */
const startAt = (drop: Drop, startedAt: Date) => db().drop.update({ where: { id: drop.id }, data: { startedAt } })

/** Runs the job until no reminder is left to queue. */
async function runJob() {
  while ((await notifyWaitlist(job())) > 0);
}

it('the email that asks for confirmation says when the drop starts', async () => {
  const { text } = await ask(await scheduled(later(DAY_MS)))
  expect(text).toContain('which starts')
})

it('emails give times in the time zone of the browser, which nobody can change after the confirmation', async () => {
  const drop = await scheduled(later(14 * MINUTE_MS))
  const email = newAddress()
  const join = (timezone: string) => joinWaitlist(visitor(), { identifier: drop.uniqueId, email, timezone })
  await join('Mars/Olympus')
  await join('Asia/Tokyo')
  const [unknown, known] = await mailsTo(email)
  expect(unknown?.text).toMatch(/which starts .* UTC\./)
  expect(known?.text).toMatch(/which starts .* GMT\+9\./)
  await confirmWaitlist(visitor(), /\/remind\/confirm\?token=(\w+)/.exec(known?.text ?? '')?.[1] ?? '')
  await join('Europe/Berlin')
  await runJob()
  expect((await subjectsTo(email)).at(-1)).toMatch(/^Test mug starts .* GMT\+9$/)
})

it('sends one reminder shortly, but at least ten minutes, before the start', async () => {
  const drop = await scheduled(later(HOUR_MS))
  const email = await remind(drop)
  await runJob()
  expect(await subjectsTo(email)).toEqual([])
  await startAt(drop, later(14 * MINUTE_MS))
  await runJob()
  expect(await subjectsTo(email)).toEqual([expect.stringMatching(/^Test mug starts .* UTC$/)])
  await startAt(drop, later(-1_000))
  await runJob()
  expect(await subjectsTo(email)).toHaveLength(1)
})

it('queues reminders earlier when many people wait, so that even the last one is reminded ten minutes before the start', async () => {
  const drop = await scheduled(later(HOUR_MS))
  const email = await remind(drop)
  // 40,000 reminders take more than an hour at ten a second.
  await db().$executeRaw`
    INSERT INTO "WaitlistEntry" ("dropId", "email", "tokenHash", "run", "confirmedAt", "unsubscribedAt")
    SELECT ${drop.id}, 'many' || n || '@example.com', 'many' || ${drop.id}::text || '-' || n, 0, now(), now()
      FROM generate_series(1, 40000) n`
  await runJob()
  expect(await subjectsTo(email)).toHaveLength(1)
})

it('emails a person who was reminded of a canceled start once, and again when the drop goes on sale after all', async () => {
  const seller = await makeSeller()
  const drop = await scheduled(later(14 * MINUTE_MS), { userId: seller.id })
  const email = await remind(drop)
  await runJob()
  await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
  // A person who was not reminded yet gets no email about it, but the page says it.
  const waiting = await remind(drop)
  await endDrop(contextFor(actorOf(seller)), { dropId: drop.id })
  expect(await notifyOfCanceledStarts(job())).toBe(1)
  expect(await notifyOfCanceledStarts(job())).toBe(0)
  expect((await subjectsTo(email)).at(-1)).toBe('Canceled: Test mug')
  expect(await subjectsTo(waiting)).toEqual([])
  const live = { run: 2, isActive: true, archivedAt: null, startedAt: later(-1_000), endTime: later(DAY_MS) }
  await db().drop.update({ where: { id: drop.id }, data: live })
  await runJob()
  for (const reader of [email, waiting]) expect((await subjectsTo(reader)).at(-1)).toBe('Test mug has started')
})

it('reminds again when an administrator restores a canceled start, and says it when that is canceled, too', async () => {
  const seller = await makeSeller()
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const drop = await scheduled(later(14 * MINUTE_MS), { userId: seller.id })
  const email = await remind(drop)
  for (let round = 1; round <= 2; round += 1) {
    await runJob()
    expect((await subjectsTo(email)).at(-1)).toMatch(/^Test mug starts/)
    await db().outboxMail.updateMany({ where: { sentAt: null }, data: { sentAt: new Date() } })
    await endDrop(contextFor(actorOf(seller)), { dropId: drop.id })
    expect(await notifyOfCanceledStarts(job())).toBe(1)
    expect((await subjectsTo(email)).at(-1)).toBe('Canceled: Test mug')
    await updateDrop(admin, drop.id, { action: 'restore', hours: 24 })
  }
  expect(await subjectsTo(email)).toHaveLength(4)
})

it('sends the reminder right away to a person who confirms in the last minutes before the start', async () => {
  const drop = await scheduled(later(3 * MINUTE_MS))
  const email = await remind(drop)
  await runJob()
  expect(await subjectsTo(email)).toHaveLength(1)
})

it('notifies a person who confirms after the start that the drop has started, and holds no unit for this person', async () => {
  const drop = await scheduled(later(HOUR_MS))
  const { email, confirm } = await ask(drop)
  await startAt(drop, later(-1_000))
  await confirm()
  await offerFreedUnits(job())
  await runJob()
  expect(await subjectsTo(email)).toEqual(['Test mug has started'])
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
})

it('holds no unit at the start for a person who asked to be reminded', async () => {
  const drop = await scheduled(later(HOUR_MS))
  await remind(drop)
  await startAt(drop, later(-1_000))
  await offerFreedUnits(job())
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
})

it('reminds again when the seller moves the start, and does not remind of a canceled start', async () => {
  const seller = await makeSeller()
  const drop = await scheduled(later(14 * MINUTE_MS), { userId: seller.id })
  const email = await remind(drop)
  await runJob()
  await markSent(email)
  const as = contextFor(actorOf(seller))
  await editDrop(as, { dropId: drop.id, fields: { startsAt: later(12 * MINUTE_MS).toISOString() }, images: [] })
  await runJob()
  expect(await subjectsTo(email)).toHaveLength(2)
  const late = await remind(drop)
  await endDrop(as, { dropId: drop.id })
  await runJob()
  expect(await subjectsTo(late)).toEqual([])
})

it('sends no reminder for a drop of a suspended seller or for a drop in review', async () => {
  const seller = await makeSeller()
  const [first, second] = [
    await scheduled(later(14 * MINUTE_MS), { userId: seller.id }),
    await scheduled(later(14 * MINUTE_MS)),
  ]
  const emails = [await remind(first), await remind(second)]
  await db().user.update({ where: { id: seller.id }, data: { isSuspended: true } })
  await db().drop.update({ where: { id: second.id }, data: { moderation: 'review' } })
  await runJob()
  for (const email of emails) expect(await subjectsTo(email)).toEqual([])
})

/** Reads the entry and the key from the unsubscribe link in the newest email to an address. */
const leaveLinkOf = async (to: string) => {
  const text = (await mailsTo(to)).at(-1)?.text ?? ''
  const [, entry, key] = /\/remind\/stop\?entry=(\d+)&key=([\w-]+)/.exec(text) ?? []
  return { entry: Number(entry), key: key ?? '' }
}

const markSent = (to: string) => db().outboxMail.updateMany({ where: { to }, data: { sentAt: new Date() } })

/** Makes a drop that starts in 14 minutes, and one reminder of its start that is queued but not yet sent. */
async function queuedReminder() {
  const seller = await makeSeller()
  const drop = await scheduled(later(14 * MINUTE_MS), { userId: seller.id })
  const email = await remind(drop)
  await runJob()
  expect(await subjectsTo(email)).toHaveLength(1)
  return { drop, email, as: contextFor(actorOf(seller)) }
}

type Reminder = Awaited<ReturnType<typeof queuedReminder>>

/** Starts a second run of a drop in the database, as a relaunch by its seller does. */
const launchAgain = ({ id }: Drop) =>
  db().drop.update({
    where: { id },
    data: { run: 2, startedAt: later(-1_000), endTime: later(DAY_MS), archivedAt: null, isActive: true },
  })

describe('a reminder that is queued but not yet sent', () => {
  it('is removed when the seller cancels the start, and its recipient is notified when the drop goes live later', async () => {
    const { drop, email, as } = await queuedReminder()
    await endDrop(as, { dropId: drop.id })
    await runJob()
    expect(await subjectsTo(email)).toEqual([])
    await launchAgain(drop)
    await runJob()
    expect(await subjectsTo(email)).toEqual(['Test mug has started'])
  })

  it('is replaced when the seller moves the start', async () => {
    const { drop, email, as } = await queuedReminder()
    const startsAt = later(12 * MINUTE_MS)
    await editDrop(as, { dropId: drop.id, fields: { startsAt: startsAt.toISOString() }, images: [] })
    await runJob()
    const keys = (await mailsTo(email)).map(({ dedupeKey }) => dedupeKey).slice(1)
    expect(keys).toEqual([expect.stringContaining(`:${startsAt.getTime()}`)])
  })

  test.each([
    ['deleted', false],
    ['hidden', true],
  ])('is removed when the drop is %s', async (_name, isKept) => {
    const { drop, email, as } = await queuedReminder()
    // A drop with a review is hidden instead of deleted.
    if (isKept) {
      await db().moderationReview.create({
        data: { dropId: drop.id, source: 'edit', category: 'drugs', state: 'allowed', decidedAt: new Date() },
      })
    }
    await deleteDrop(as, { dropId: drop.id })
    expect(await db().drop.count({ where: { id: drop.id } })).toBe(isKept ? 1 : 0)
    expect(await subjectsTo(email)).toEqual([])
  })

  it('keeps the drop from being deleted once it was sent, until the start is canceled and its recipient was notified', async () => {
    const { drop, email, as } = await queuedReminder()
    await markSent(email)
    const announced = { code: 'START_ANNOUNCED', status: 409 }
    await expect(deleteDrop(as, { dropId: drop.id })).rejects.toMatchObject(announced)
    await endDrop(as, { dropId: drop.id })
    await expect(deleteDrop(as, { dropId: drop.id })).rejects.toMatchObject(announced)
    expect(await notifyOfCanceledStarts(job())).toBe(1)
    await deleteDrop(as, { dropId: drop.id })
    expect(await subjectsTo(email)).toContain('Canceled: Test mug')
  })

  it('is removed when its recipient unsubscribes', async () => {
    const { email } = await queuedReminder()
    await leaveWaitlist(visitor(), await leaveLinkOf(email))
    expect(await subjectsTo(email)).toEqual([])
  })

  it.each([
    ['a canceled start', 'Canceled: Test mug', ({ drop, as }: Reminder) => endDrop(as, { dropId: drop.id })],
    ['a relaunch', 'Test mug has started', ({ drop }: Reminder) => launchAgain(drop)],
  ])('is removed with the news of %s when its recipient unsubscribes', async (_name, news, change) => {
    const reminder = await queuedReminder()
    const link = await leaveLinkOf(reminder.email)
    if (news.startsWith('Canceled')) await markSent(reminder.email)
    else await endDrop(reminder.as, { dropId: reminder.drop.id })
    await change(reminder)
    await notifyOfCanceledStarts(job())
    await runJob()
    expect(await subjectsTo(reminder.email)).toContain(news)
    await leaveWaitlist(visitor(), link)
    expect(await subjectsTo(reminder.email)).not.toContain(news)
  })

  it('is not sent once the drop has started', async () => {
    const { drop, email } = await queuedReminder()
    await db().outboxMail.updateMany({ where: { to: { not: email }, sentAt: null }, data: { sentAt: new Date() } })
    const [, reminder] = await mailsTo(email)
    expect(reminder?.expiresAt).toEqual(drop.startedAt)
    await db().outboxMail.update({ where: { id: reminder!.id }, data: { expiresAt: later(-1_000) } })
    await sendDueMail(job())
    expect((await mailsTo(email)).map(({ sentAt }) => sentAt !== null)).toEqual([true, false])
  })
})

describe('the email about a start', () => {
  it('is the only announcement that a person gets, so a later run is not announced to this person', async () => {
    const { drop, email } = await queuedReminder()
    await markSent(email)
    await launchAgain(drop)
    await runJob()
    expect(await subjectsTo(email)).toHaveLength(1)
  })

  it('is followed by a second one if a review hid the drop until after its start', async () => {
    const { drop, email } = await queuedReminder()
    await markSent(email)
    const admin = await makeSeller({ isAdmin: true })
    const review = await db().moderationReview.create({ data: { dropId: drop.id, source: 'edit', category: 'drugs' } })
    await db().drop.update({ where: { id: drop.id }, data: { moderation: 'review', startedAt: later(-1_000) } })
    await db().moderationReview.update({ where: { id: review.id }, data: { createdAt: later(-HOUR_MS) } })
    await approveReview(contextFor(actorOf(admin)), { reviewId: review.id })
    await runJob()
    expect((await subjectsTo(email)).slice(1)).toEqual(['Test mug has started'])
  })

  it('is not queued while the seller is changing the start', async () => {
    const drop = await scheduled(later(14 * MINUTE_MS))
    const email = await remind(drop)
    await db().$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS "one" FROM "Drop" WHERE "id" = ${drop.id} FOR NO KEY UPDATE`
      await runJob()
      expect(await subjectsTo(email)).toEqual([])
    })
    await runJob()
    expect(await subjectsTo(email)).toHaveLength(1)
  })
})

it(`${REMINDERS} reminders of a start are sent at a pace of 10,000 in less than five minutes`, async () => {
  await db().outboxMail.deleteMany()
  const drop = await scheduled(later(14 * MINUTE_MS))
  await db().waitlistEntry.createMany({
    data: Array.from({ length: REMINDERS }, (_, at) => {
      const email = newAddress()
      return {
        dropId: drop.id,
        run: 0,
        email,
        mailbox: email,
        tokenHash: `${email}${at}`,
        confirmedAt: new Date(),
        waitsForStart: true,
      }
    }),
  })
  const startedAt = Date.now()
  // Each round stands for a second, in which both jobs run once.
  let rounds = 0
  let sent = 0
  for (; sent < REMINDERS && rounds < REMINDERS; rounds += 1) {
    await notifyWaitlist(job())
    sent += await sendDueMail(job())
  }
  console.log(`${sent} reminders: ${rounds} rounds, ${((Date.now() - startedAt) / 1000).toFixed(1)} s of work`)
  expect(sent).toBe(REMINDERS)
  expect(await db().outboxMail.count({ where: { sentAt: null } })).toBe(0)
  // Five minutes are 300 rounds for 10,000 reminders.
  expect(rounds).toBeLessThanOrEqual(Math.ceil((REMINDERS * 300) / 10_000))
}, 600_000)
/** Changes the description of a drop to one that a person has to review. */
async function reword({ id: dropId, userId }: Drop): Promise<void> {
  const seller = await db().user.findUniqueOrThrow({ where: { id: userId } })
  await editDrop(contextFor(actorOf(seller)), {
    dropId,
    fields: { description: 'Hunting rifle, barely used' },
    images: [],
  })
  expect(await db().drop.findUniqueOrThrow({ where: { id: dropId } })).toMatchObject({ moderation: 'review' })
}

it('people who wait for a start are not reminded while its drop is in review or its seller is suspended', async () => {
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const stops: ((drop: Drop) => Promise<unknown>)[] = [
    (drop) => reword(drop),
    (drop) => updateAccount(admin, drop.userId, { isSuspended: true }),
    (drop) => transaction(job(), (tx) => suspendUser(tx, drop.userId, { until: null, reason: 'a test' })),
  ]
  for (const stop of stops) {
    const drop = await scheduled(later(14 * MINUTE_MS))
    const email = await remind(drop)
    await runJob()
    expect(await subjectsTo(email)).toHaveLength(1)
    await stop(drop)
    await runJob()
    expect(await subjectsTo(email)).toEqual([])
    await db().drop.update({ where: { id: drop.id }, data: { moderation: 'allowed' } })
    await db().user.update({ where: { id: drop.userId }, data: { isSuspended: false } })
    await runJob()
    expect(await subjectsTo(email)).toHaveLength(1)
  }
})

it('people who wait for a relaunch get no email about a run that was removed, stopped or has ended', async () => {
  const seller = await makeSeller()
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const stops: ((drop: Drop) => Promise<unknown>)[] = [
    (drop) => removeDrop(admin, drop.id),
    (drop) => endDrop(contextFor(actorOf(seller)), { dropId: drop.id }),
    (drop) => reword(drop),
  ]
  for (const stop of stops) {
    const drop = await scheduled(later(-HOUR_MS), { run: 2, userId: seller.id })
    await db().dropRun.updateMany({ where: { dropId: drop.id }, data: { run: 2 } })
    const email = newAddress()
    const entry = { dropId: drop.id, email, mailbox: email, tokenHash: email, run: 1, confirmedAt: new Date() }
    await db().waitlistEntry.create({ data: entry })
    await runJob()
    expect(await mailsTo(email)).toMatchObject([{ subject: 'Test mug is back', expiresAt: drop.endTime }])
    await stop(drop)
    expect(await mailsTo(email)).toEqual([])
  }
})
