// A process with older time zone data may not know a zone that another process has stored, for example while a new
// version is rolled out or rolled back.
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

const ZONES = ['America/New_Zone', 'America/New_York']
const addressOf = (zone: string, id: number) => `${zone.replace('/', '-').toLowerCase()}-${id}@example.com`
const later = (ms: number) => new Date(Date.now() + ms)

async function textsTo(addresses: string[]): Promise<string[]> {
  const mails = await db().outboxMail.findMany({ where: { to: { in: addresses } }, orderBy: { id: 'asc' } })
  return mails.map(({ text }) => text)
}

it('a follower whose time zone this process does not know reads UTC, and the other followers get their emails', async () => {
  const seller = await makeSeller()
  const addresses = ZONES.map((zone) => addressOf(zone, seller.id))
  await db().follower.createMany({
    data: ZONES.map((timezone, at) => {
      const email = addresses[at]!
      const consent = { confirmedAt: new Date(), page: '/', consentText: 'Yes' }
      return { sellerId: seller.id, email, mailbox: email, tokenHash: email, timezone, ...consent }
    }),
  })
  await makeDrop({ userId: seller.id, startedAt: later(DAY_MS), endTime: later(2 * DAY_MS) })
  await notifyFollowers(systemContext('followers'))
  expect(await textsTo(addresses)).toEqual([expect.stringContaining('UTC'), expect.stringMatching(/E[SD]T/)])
})

it('a person on a waitlist whose time zone this process does not know is reminded in UTC, and so are the others', async () => {
  const times = { startedAt: later(5 * MINUTE_MS), endTime: later(DAY_MS) }
  const drop = await makeDrop(times)
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, ...times } })
  const addresses = ZONES.map((zone) => addressOf(zone, drop.id))
  await db().waitlistEntry.createMany({
    data: ZONES.map((timezone, at) => {
      const email = addresses[at]!
      const waits = { run: 0, askedStart: true, waitsForStart: true, confirmedAt: new Date() }
      return { dropId: drop.id, email, mailbox: email, tokenHash: `w-${email}`, timezone, ...waits }
    }),
  })
  await notifyWaitlist(systemContext('waitlist'))
  expect(await textsTo(addresses)).toEqual([expect.stringContaining('UTC'), expect.stringMatching(/E[SD]T/)])
})
