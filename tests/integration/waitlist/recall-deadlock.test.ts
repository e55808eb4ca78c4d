// A person who unsubscribes and a seller who cancels the start both remove the same queued reminder. Each locks the
// person's entry before the email, so that Postgres does not have to undo one of the two changes.
import { transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { recallWaitlistMails } from '@/lib/notifications/recall-waitlist-mails'
import { notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { makeDrop, visitor } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

it('a start is canceled while a person unsubscribes from its reminder', async () => {
  const { id: dropId } = await makeDrop({
    startedAt: new Date(Date.now() + 5 * MINUTE_MS),
    endTime: new Date(Date.now() + DAY_MS),
  })
  const email = `waiting-${dropId}@example.com`
  const entry = await db().waitlistEntry.create({
    data: { dropId, email, mailbox: email, tokenHash: email, confirmedAt: new Date(), run: 0, waitsForStart: true },
  })
  expect(await notifyWaitlist(visitor())).toBe(1)
  let canceled: Promise<void> | undefined
  await transaction(visitor(), async (tx) => {
    await tx.db.waitlistEntry.update({ where: { id: entry.id }, data: { unsubscribedAt: new Date() } })
    canceled = transaction(visitor(), (other) => recallStartMails(other, [dropId]))
    expect(await untilWaits('WITH', canceled)).toBe(true)
    await recallWaitlistMails(tx, entry.id)
  })
  await canceled
  expect(await db().outboxMail.count({ where: { to: email } })).toBe(0)
})
