// The alert about failing payouts has to fire when Stripe refuses a payout for hours, and has to stay silent while a
// payout waits for its seller or for its day.
import { platformMetrics } from '@/lib/admin/platform-metrics'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { HOUR_MS } from '@/lib/kernel/time'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { ctx, paidCheckout, readySeller } from './payout-support'

afterAll(closeDatabase)
beforeEach(() => db().transfer.deleteMany({}))
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

async function failingPayouts(): Promise<{ failing: number; oldestSeconds: number }> {
  const metrics = await platformMetrics(ctx())
  const valueOf = (name: string) => metrics.find((metric) => metric.name === `lastcall_${name}`)?.values[0]?.[1] ?? NaN
  return { failing: valueOf('failing_payouts'), oldestSeconds: valueOf('oldest_due_payout_seconds') }
}

/** Makes a paid order whose payout has been due for three hours, and which Stripe refuses each time. */
async function refusedPayout() {
  const { seller } = await readySeller()
  await paidCheckout(seller)
  await db().transfer.updateMany({ data: { dueAt: ago(3), nextAttemptAt: ago(3) } })
  await standIn()!.setFaults({
    api: { kind: 'error', path: '/v1/transfers', remaining: 1, delayMs: 0 },
    deliveries: null,
  })
  await sweepPayouts(ctx()).catch(() => undefined)
  return seller
}

it('a payout that Stripe has refused for hours is failing, although its next attempt is still to come', async () => {
  await refusedPayout()
  const { failing, oldestSeconds } = await failingPayouts()
  expect(failing).toBe(1)
  expect(oldestSeconds).toBeGreaterThan(3600)
})

it('a payout that waits for its seller or for its day neither fails nor is late', async () => {
  const seller = await refusedPayout()
  await db().user.update({ where: { id: seller.id }, data: { payoutsState: 'incomplete' } })
  await db().transfer.updateMany({ data: { sentCents: null } })
  await paidCheckout((await readySeller()).seller)
  await db().transfer.updateMany({
    where: { sellerId: { not: seller.id } },
    data: { dueAt: ago(-24), nextAttemptAt: ago(24) },
  })
  expect(await failingPayouts()).toEqual({ failing: 0, oldestSeconds: 0 })
})
