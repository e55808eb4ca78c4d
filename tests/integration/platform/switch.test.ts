import { togglePlatform } from '@/lib/admin/toggle-platform'
import { checkoutError } from '@/lib/checkout/messages'
import { answer } from '@/lib/http/answer'
import { assertPlatformOpen } from '@/lib/http/guard'
import { transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { processMetrics } from '@/lib/infra/metrics'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { isPlatformActive, readPlatformState } from '@/lib/platform/queries'
import { recordAudit } from '@/lib/platform/record-audit'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const admin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const auditOf = (actorId: number) => db().auditEntry.findMany({ where: { actorId }, orderBy: { id: 'asc' } })

afterEach(async () => {
  await togglePlatform(await admin(), { isActive: true })
})

it('fifty simultaneous toggles each return the state they set, and each writes an audit row', async () => {
  const ctx = await admin()
  const answers = await Promise.all(Array.from({ length: 50 }, () => togglePlatform(ctx, {})))
  expect(answers.filter(({ isActive }) => isActive)).toHaveLength(25)
  expect((await readPlatformState(ctx)).isActive).toBe(true)
  const rows = await auditOf(ctx.actor.userId)
  expect(rows).toHaveLength(50)
  // The state before each change is the state that the previous change has set.
  rows.slice(1).forEach((row, at) => expect(row.before).toEqual(rows[at]?.after))
})

it('setting the same state in simultaneous requests keeps that state', async () => {
  const ctx = await admin()
  const answers = await Promise.all(Array.from({ length: 50 }, () => togglePlatform(ctx, { isActive: false })))
  expect(answers.every(({ isActive }) => !isActive)).toBe(true)
  expect(await isPlatformActive(ctx)).toBe(false)
})

it('pausing the platform expires unpaid checkouts and keeps paid orders', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const unpaid = await openCheckout(drop.id)
  const paid = await openCheckout(drop.id)
  // This checkout is paid just before the platform is paused, and its webhook has not arrived yet.
  expect((await pay(paid.url)).status).toBe(303)
  await togglePlatform(await admin(), { isActive: false })
  expect((await pay(unpaid.url)).status).not.toBe(303)
  expect(await getPaidOrder(visitor(), paid.sessionId)).toMatchObject({ status: 'paid' })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0, sold: 1 })
})

it('calls that are refused because of a pause, or whose buyer waits in line, do not count as failures', async () => {
  const answersOf = (status: string) =>
    processMetrics()
      .find(({ name }) => name === 'lastcall_api_answers_total')
      ?.values.find(([label]) => label === `status="${status}"`)?.[1] ?? 0
  await togglePlatform(await admin(), { isActive: false })
  const before = answersOf('5xx')
  const refused = await answer(new Request('http://localhost:3000/api/drop/mug'), async () => {
    await assertPlatformOpen({ kind: 'visitor' })
    return new Response()
  })
  const waiting = await answer(new Request('http://localhost:3000/api/create-payment-intent'), () =>
    Promise.reject(checkoutError('IN_LINE', { retryAfterSeconds: 2 })),
  )
  expect([refused.status, waiting.status]).toEqual([503, 503])
  expect([answersOf('5xx') - before, answersOf('intended')]).toEqual([0, 2])
})

it('audit rows cannot be changed or deleted, and the row of a failed action is rolled back', async () => {
  const ctx = await admin()
  const act = { action: 'test', targetType: 'platform', targetId: 1 } as const
  await transaction(ctx, (tx) => recordAudit(tx, act))
  const [row] = await auditOf(ctx.actor.userId)
  await expect(db().auditEntry.delete({ where: { id: row?.id ?? 0 } })).rejects.toThrow('append-only')
  await expect(db().auditEntry.updateMany({ data: { action: 'x' } })).rejects.toThrow('append-only')
  const failing = transaction(ctx, async (tx) => {
    await recordAudit(tx, act)
    throw new Error('the act failed')
  })
  await expect(failing).rejects.toThrow('the act failed')
  expect(await auditOf(ctx.actor.userId)).toHaveLength(1)
})
