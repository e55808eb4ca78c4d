// Emails to people who wait for a drop are queued much faster than they are sent. When the platform is paused, those
// that still wait must not lead thousands of people to a page that sells nothing.
import { togglePlatform } from '@/lib/admin/toggle-platform'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { runWaitlist } from '@/lib/jobs/run-waitlist'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

const job = () => systemContext('test')
const later = (ms: number) => new Date(Date.now() + ms)

async function setActive(isActive: boolean): Promise<void> {
  await togglePlatform(contextFor(actorOf(await makeSeller({ isAdmin: true }))), { isActive })
}

afterEach(() => setActive(true))
afterAll(closeDatabase)

async function addWaiting(dropId: number, data: object): Promise<string> {
  const email = `waiting-${dropId}@example.com`
  const entry = { dropId, email, mailbox: email, tokenHash: email, confirmedAt: new Date(), ...data }
  await db().waitlistEntry.create({ data: entry })
  return email
}

/** Sends all emails that are due. @returns the subjects of those that this person has received */
async function received(to: string): Promise<string[]> {
  while ((await sendDueMail(job(), { isUrgent: true })) + (await sendDueMail(job())) > 0);
  const mails = await db().outboxMail.findMany({ where: { to, sentAt: { not: null } }, orderBy: { id: 'asc' } })
  return mails.map(({ subject }) => subject)
}

/**
 * Queues what is due, pauses the platform before it is sent, and resumes it. Nothing may be sent during the pause.
 * @param during what happens in the pause
 */
async function pauseWhileQueued(email: string, during: () => Promise<unknown> = () => Promise.resolve()) {
  await runWaitlist()
  await setActive(false)
  await runWaitlist()
  expect(await received(email)).toEqual([])
  await during()
  await setActive(true)
  await runWaitlist()
}

it('a reminder that waits when the platform is paused is sent after the pause, and says what is true then', async () => {
  const times = { startedAt: later(5 * MINUTE_MS), endTime: later(DAY_MS) }
  const { id, quantity } = await makeDrop(times)
  await db().dropRun.create({ data: { dropId: id, run: 1, quantity, ...times } })
  const email = await addWaiting(id, { run: 0, waitsForStart: true })
  const start = () => db().drop.update({ where: { id }, data: { startedAt: later(-MINUTE_MS) } })
  await pauseWhileQueued(email, start)
  expect(await received(email)).toEqual([expect.stringMatching(/has started$/)])
})

it('the news that a drop is back waits for the end of a pause', async () => {
  const { id } = await makeDrop({ run: 2 })
  const email = await addWaiting(id, { run: 1 })
  await pauseWhileQueued(email)
  expect(await received(email)).toEqual([expect.stringMatching(/is back$/)])
})

it('a person whose offer a pause has closed does not get the email about it, but the one about the next offer', async () => {
  const { id } = await makeDrop()
  const email = await addWaiting(id, { run: 1 })
  await pauseWhileQueued(email)
  expect(await received(email)).toHaveLength(1)
})

it('an email about an offer is not sent once the offer has ended', async () => {
  const { id } = await makeDrop()
  const email = await addWaiting(id, { run: 1 })
  await runWaitlist()
  const hold = await db().hold.findFirstOrThrow({ where: { dropId: id } })
  const mail = await db().outboxMail.findFirstOrThrow({ where: { to: email } })
  expect(mail.expiresAt).toEqual(hold.expiresAt)
  // The mail server was away for an hour.
  await db().outboxMail.update({ where: { id: mail.id }, data: { expiresAt: later(-HOUR_MS) } })
  expect(await received(email)).toEqual([])
})
