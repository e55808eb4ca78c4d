// The metric about broken rules has to disappear when the rules cannot be checked. Otherwise an old count would say
// that no rule is broken, however long the check fails.
import { platformMetrics } from '@/lib/admin/platform-metrics'
import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { until } from '@/tests/support/until'

afterAll(closeDatabase)
afterEach(() => jest.restoreAllMocks())

/** A context whose statements of the check take as long, and fail or not, as `check` says. */
function contextWith(check: () => Promise<object[]>): Context {
  const ctx = systemContext('metrics')
  const sql = Object.assign((...call: Parameters<typeof ctx.sql>) => ctx.sql(...call), { unprepared: check })
  return { ...ctx, sql: sql as typeof ctx.sql }
}

const slow = () => new Promise<object[]>((resolve) => setTimeout(() => resolve([]), 5))
const failing = () => Promise.reject(new Error('canceled because of the statement timeout'))

async function brokenRules(check: () => Promise<object[]>): Promise<number | undefined> {
  const metrics = await platformMetrics(contextWith(check))
  return metrics.find(({ name }) => name === 'lastcall_broken_rules')?.values[0]?.[1]
}

it('the count of broken rules is reported again and again while they can be checked, and not once the check fails', async () => {
  for (let scrape = 0; scrape < 4; scrape += 1) expect(await brokenRules(slow)).toBe(0)
  // From here on the count is slow, so that a scrape gets the last one and starts another in the background.
  const now = performance.now()
  jest.spyOn(performance, 'now').mockImplementation(() => now + 3_600_000)
  await brokenRules(failing)
  await until('gap in the metric', async () => (await brokenRules(failing)) === undefined)
  jest.restoreAllMocks()
})
