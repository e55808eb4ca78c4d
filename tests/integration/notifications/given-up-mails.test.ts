// An email is tried for three days, or until it expires (sendDueMail()). Afterwards its row stays for a while, and must
// count neither as waiting nor as failing.
import { platformMetrics } from '@/lib/admin/platform-metrics'
import { readHealth } from '@/lib/admin/read-overview'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)
beforeEach(() => db().outboxMail.deleteMany())

const job = () => systemContext('mail')
const from = (ms: number) => new Date(Date.now() + ms)

const givenUp = {
  createdAt: from(-4 * DAY_MS),
  sendAfter: from(-MINUTE_MS),
  attempts: 60,
  lastError: '550 no such user',
}
const expired = { ...givenUp, createdAt: from(-DAY_MS), expiresAt: from(-MINUTE_MS) }

async function addMails(many: number, data: object): Promise<void> {
  const mail = { to: 'nobody@example.com', subject: 'Hello', text: 'Hello', ...data }
  const start = await db().outboxMail.count()
  const keys = Array.from({ length: many }, (_, at) => `given-up:${start + at}`)
  await db().outboxMail.createMany({ data: keys.map((dedupeKey) => ({ dedupeKey, ...mail })) })
}

async function metricOf(name: string): Promise<number | undefined> {
  const metrics = await platformMetrics(job())
  return metrics.find((metric) => metric.name === `lastcall_${name}`)?.values[0]?.[1]
}

it('emails that were given up or have expired are neither waiting nor failing', async () => {
  await addMails(30, givenUp)
  await addMails(30, expired)
  expect(await sendDueMail(job())).toBe(0)
  expect(await readHealth(database())).toMatchObject({ mailWaiting: 0, mailFailing: 0 })
  expect([await metricOf('mail_waiting'), await metricOf('mail_failing')]).toEqual([0, 0])
})

it('an email that failed and is tried again is waiting and failing', async () => {
  await addMails(1, { ...givenUp, createdAt: from(-DAY_MS) })
  expect(await readHealth(database())).toMatchObject({ mailWaiting: 1, mailFailing: 1 })
})

describe('an urgent email that failed', () => {
  const urgent = { createdAt: from(-10 * MINUTE_MS), attempts: 2, lastError: '550 no such user', isUrgent: true }

  it('is late while no email has been sent since', async () => {
    await addMails(1, { createdAt: from(-20 * MINUTE_MS), sentAt: from(-15 * MINUTE_MS) })
    await addMails(1, { ...urgent, lastError: 'connect ECONNREFUSED' })
    expect(await metricOf('oldest_urgent_mail_seconds')).toBeGreaterThan(590)
  })

  it('is not late if its mailbox alone refuses it, so that nobody can page an operator with a wrong address', async () => {
    await addMails(1, urgent)
    await addMails(1, { createdAt: from(-5 * MINUTE_MS), sentAt: from(-5 * MINUTE_MS) })
    expect(await metricOf('oldest_urgent_mail_seconds')).toBe(0)
  })

  it('does not hide another one that is late', async () => {
    await addMails(1, urgent)
    await addMails(1, { createdAt: from(-5 * MINUTE_MS), sentAt: from(-5 * MINUTE_MS) })
    await addMails(1, { isUrgent: true, createdAt: from(-3 * MINUTE_MS) })
    expect(await metricOf('oldest_urgent_mail_seconds')).toBeGreaterThan(170)
  })
})

it('emails of one seller to followers that were given up do not keep another seller from emailing followers', async () => {
  const [gone, other] = [await makeSeller(), await makeSeller()]
  const far = await makeDrop({ userId: gone.id, startedAt: from(20 * DAY_MS), endTime: from(21 * DAY_MS) })
  const notice = await db().followerNotice.create({
    data: { dropId: far.id, kind: 'scheduled', namedTime: far.startedAt, lastFollowerId: 1, doneAt: new Date() },
  })
  await db().drop.update({ where: { id: far.id }, data: { updatedAt: from(-5 * DAY_MS) } })
  await addMails(500, { ...givenUp, noticeId: notice.id })
  const email = `follower-${other.id}@example.com`
  const consent = { confirmedAt: new Date(), page: '/', consentText: 'Yes' }
  await db().follower.create({ data: { sellerId: other.id, email, mailbox: email, tokenHash: email, ...consent } })
  await makeDrop({ userId: other.id, startedAt: from(-MINUTE_MS), endTime: from(DAY_MS) })
  await notifyFollowers(systemContext('followers'))
  expect(await db().outboxMail.count({ where: { to: email } })).toBe(1)
  expect(await db().outboxMail.count({ where: { noticeId: notice.id } })).toBe(500)
})
