import { oneTest } from './checks.mjs'
import { formatDuration, Refusal } from './output.mjs'

/** @typedef {import('./checks.mjs').Step} Step */

/**
 * Runs steps, a few at a time, and prints one line for each.
 * @param {Step[]} steps
 * @param {{ atOnce?: number }} [options]
 * @returns {Promise<(import('./checks.mjs').Result & { name: string })[]>} in the order of `steps`
 */
export async function runSteps(steps, { atOnce = 1 } = {}) {
  const results = []
  const waiting = steps.entries()
  const work = async () => {
    for (const [index, { name, run }] of waiting) {
      const startedAt = Date.now()
      const result = await run().catch((error) =>
        oneTest(false, error instanceof Refusal ? error.message : error.stack),
      )
      results[index] = { name, ...result }
      const mark = result.failed > 0 ? '✗' : '✓'
      console.log(`${mark} ${name}: ${countsOf(result)} (${formatDuration(Date.now() - startedAt)})`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

/** @returns {string} like `12 passed, 0 failed` */
function countsOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Prints what the failed steps said, and the sum as the last line; sets the exit code. */
export function summarise(results) {
  for (const { name, failed, output } of results) {
    if (failed === 0 || !output) continue
    console.log(`\n──── ${name} ${'─'.repeat(Math.max(4, 100 - name.length))}\n${output.trim()}`)
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  console.log(`\n${countsOf(total)}`)
  process.exitCode = total.failed > 0 ? 1 : 0
}
