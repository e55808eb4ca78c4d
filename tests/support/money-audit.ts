// For every test file that moves money: checks the invariants of the database after each of its tests.
import { pool } from '@/lib/infra/db'
import { paymentsMode, standIn } from '@/lib/infra/stripe'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { deliverEvents } from './shop'

async function breaches() {
  const findings = await checkInvariants(pool())
  return findings.filter(({ breaches: found }) => found.length > 0)
}

/**
 * Checks the whole database after each test of the file, as `npm run doctor` does. Then all that Stripe had to report during
 * the test arrives, late, in any order and some of it twice, as the seed of the test file says. After that the database is
 * checked again.
 */
export function examineMoneyAfterEach(): void {
  afterEach(async () => {
    expect(await breaches()).toEqual([])
    if (paymentsMode() !== 'sandbox') return
    await standIn()!.setFaults({ api: null, deliveries: null })
    await standIn()!.settleDue()
    await deliverEvents()
    expect(await breaches()).toEqual([])
  })
}
