// For every test file that moves money: checks the invariants of the database after each of its tests.
import { pool } from '@/lib/infra/db'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'

/** Checks the whole database after each test of the file, as `npm run doctor` does. */
export function examineMoneyAfterEach(): void {
  afterEach(async () => {
    const findings = await checkInvariants(pool())
    expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([])
  })
}
