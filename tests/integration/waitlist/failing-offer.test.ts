import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { runWaitlist } from '@/lib/jobs/run-waitlist'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { makeDrop } from '@/tests/support/factories'

const later = (ms: number) => new Date(Date.now() + ms)

async function addWaiting(dropId: number, data: object = {}) {
  const email = `waiting-${dropId}@example.com`
  const entry = { dropId, email, mailbox: email, tokenHash: email, confirmedAt: new Date(), ...data }
  await db().waitlistEntry.create({ data: entry })
  return email
}

const countMails = (to: string) => db().outboxMail.count({ where: { to } })

/** Makes a drop of which no unit can be held, because a trigger refuses it. Its person joined first. */
async function brokenDrop(): Promise<void> {
  const { id } = await makeDrop()
  await addWaiting(id, { joinedAt: later(-DAY_MS) })
  await db().$executeRawUnsafe(`
    CREATE FUNCTION refuse_hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW."dropId" = ${id} THEN RAISE EXCEPTION 'this drop is broken'; END IF; RETURN NEW; END $$`)
  await db().$executeRawUnsafe(
    'CREATE TRIGGER refuse_hold BEFORE INSERT ON "Hold" FOR EACH ROW EXECUTE FUNCTION refuse_hold()',
  )
}

beforeAll(brokenDrop)
afterAll(async () => {
  await db().$executeRawUnsafe('DROP TRIGGER refuse_hold ON "Hold"')
  await db().$executeRawUnsafe('DROP FUNCTION refuse_hold')
  await closeDatabase()
})

it('a unit that cannot be offered does not keep the units of other drops from being offered', async () => {
  const { id } = await makeDrop()
  const email = await addWaiting(id)
  await offerFreedUnits(systemContext('waitlist')).catch(() => undefined)
  expect(await countMails(email)).toBe(1)
})

it('a unit that cannot be offered does not keep people from being reminded of a start', async () => {
  const times = { startedAt: later(5 * MINUTE_MS), endTime: later(DAY_MS) }
  const { id, quantity } = await makeDrop(times)
  await db().dropRun.create({ data: { dropId: id, run: 1, quantity, ...times } })
  const email = await addWaiting(id, { run: 0, askedStart: true, waitsForStart: true })
  await runWaitlist().catch(() => undefined)
  expect(await countMails(email)).toBe(1)
})
