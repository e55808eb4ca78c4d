// Test files that move money call examineMoneyAfterEach(), which checks the invariants of the database.
import { pool } from '@/lib/infra/db'
import { paymentsMode, standIn } from '@/lib/infra/stripe'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { deliverEvents } from './shop'

async function breaches() {
  const findings = await checkInvariants(pool())
  return findings.filter(({ breaches: found }) => found.length > 0)
}

/**
 * Checks the whole database after each test of the file, as `npm run doctor` does. In the sandbox, it then ends all
 * faults, delivers the newest events that the stand-in has not delivered during the test, in a random order and some of
 * them twice, and checks the database again. The seed of the test file decides the order.
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
