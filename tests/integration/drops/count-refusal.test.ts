import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, db } from '@/lib/infra/db'
import { makeDrop } from '@/tests/support/factories'

afterAll(closeDatabase)

/** Loads the module again, as a second bundle of the application in the same process does (ADR 0057). */
async function loadCopy(): Promise<(dropId: number) => void> {
  jest.resetModules()
  return (await import('@/lib/drops/analytics/count-refusal')).countRefusal
}

it('counts each refusal once, whichever bundle of the application has refused the checkout', async () => {
  const drop = await makeDrop()
  const [direct, viaNext] = [await loadCopy(), await loadCopy()]
  expect(direct).not.toBe(viaNext)
  const refused = async () => {
    await flushCollectors()
    const hours = await db().dropHour.findMany({ where: { dropId: drop.id } })
    return hours.reduce((sum, hour) => sum + hour.refused, 0)
  }
  for (const count of [direct, viaNext, direct]) count(drop.id)
  expect(await refused()).toBe(3)
  for (const count of [viaNext, direct]) count(drop.id)
  expect(await refused()).toBe(5)
})
