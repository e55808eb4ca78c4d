import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { runDueWork } from '@/lib/jobs/run-due-work'
import { runArchive } from '@/lib/jobs/run-archive'
import { MINUTE_MS } from '@/lib/kernel/time'
import { forgetPlatformState } from '@/lib/platform/queries'
import { composeMail, type MailKey } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { makeDrop } from '@/tests/support/factories'
import { ageHolds, openCheckout } from '@/tests/support/shop'

afterAll(closeDatabase)

/** Queues one urgent email and thirty others, which is more than one batch. @returns their keys. */
async function queueMany(name: string): Promise<string[]> {
  const further = Array.from({ length: 30 }, (_, at): MailKey => `sale:${name}-${at}`)
  const keys: MailKey[] = [`password-reset:${name}`, ...further]
  const content = { subject: name, preview: 'Hello', heading: 'Hello', paragraphs: ['An email of a test.'] }
  const mails = keys.map((key) => composeMail('bea@example.com', key, content))
  await queueMail(systemContext('test'), mails)
  return keys
}

const unsent = (keys: string[]) => db().outboxMail.count({ where: { dedupeKey: { in: keys }, sentAt: null } })

test('the scheduled call archives ended drops and sends the due emails, even if they fill more than one batch', async () => {
  const drop = await makeDrop({ endTime: new Date(Date.now() - MINUTE_MS) })
  const keys = await queueMany('all')
  const report = await runDueWork()
  expect(report.archived).toBe(1)
  expect(report.mails).toBeGreaterThanOrEqual(31)
  expect(await unsent(keys)).toBe(0)
  expect((await db().drop.findUnique({ where: { id: drop.id } }))?.archivedAt).not.toBeNull()
})

test('the scheduled call puts units back on sale when too many units stay unpaid', async () => {
  const drop = await makeDrop({ quantity: 4 })
  for (let buyer = 0; buyer < 4; buyer += 1) await openCheckout(drop.id)
  await ageHolds(drop.id, 55)
  await runDueWork()
  expect((await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).held).toBe(2)
})

test.each(['platform-active', 'is-anyone-in-checkout'])(
  'a sweep whose query fails (%s) does not stop the other sweeps',
  async (broken) => {
    const drop = await makeDrop({ endTime: new Date(Date.now() - MINUTE_MS) })
    const { sessionId } = await openCheckout((await makeDrop()).id)
    const where = { order: { stripeSessionId: sessionId } }
    await db().hold.updateMany({ where, data: { expiresAt: new Date(Date.now() - MINUTE_MS) } })
    const ctx = systemContext('test')
    const sql = ((name: string, ...rest: unknown[]) =>
      name === broken
        ? Promise.reject(new Error(`${name} fails`))
        : (ctx.sql as (...all: unknown[]) => unknown)(name, ...rest)) as typeof ctx.sql
    // The process caches the state of the platform for a moment. With a cached state, it would not run the query.
    forgetPlatformState()
    const sweeps = runArchive({ ...ctx, sql: Object.assign(sql, { unprepared: ctx.sql.unprepared }) })
    await expect(sweeps).rejects.toThrow(`${broken} fails`)
    expect((await db().drop.findUnique({ where: { id: drop.id } }))?.archivedAt).not.toBeNull()
    expect(await db().hold.findFirst({ where })).toMatchObject({ state: 'released', reason: 'expired' })
  },
)

test('the scheduled call sends emails even when an earlier job fails, and reports the failure', async () => {
  const keys = await queueMany('despite')
  const fail = () => Promise.reject(new Error('the first job fails'))
  const broken = { ...systemContext('test'), sql: Object.assign(fail, { unprepared: fail }) }
  await expect(runDueWork(broken)).rejects.toThrow('the first job fails')
  expect(await unsent(keys)).toBe(0)
})
