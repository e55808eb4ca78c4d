import { messageOf } from '../lib/kernel/caught-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { oneTest } from './checks.mjs'
import { formatDuration } from './output.mjs'

/**
 * @import { Counts, Result, Step } from './checks.mjs'
 *
 * @typedef {Result & { name: string }} NamedResult
 */

/**
 * Runs steps, at most `atOnce` at the same time, and prints one line for each.
 * @param {Step[]} steps
 * @param {{ atOnce?: number }} [options]
 * @returns {Promise<NamedResult[]>} in the order of `steps`
 */
export async function runSteps(steps, { atOnce = 1 } = {}) {
  /** @type {NamedResult[]} */
  const results = []
  const waiting = steps.entries()
  const work = async () => {
    for (const [index, { name, run }] of waiting) {
      const startedAt = Date.now()
      const result = await run().catch((error) => oneTest(false, explain(error)))
      results[index] = { name, ...result }
      const mark = result.failed > 0 ? '✗' : '✓'
      console.log(`${mark} ${name}: ${formatCounts(result)} (${formatDuration(Date.now() - startedAt)})`)
      for (const line of result.failures ?? []) console.log(`    ${line}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

/** @param {unknown} error */
function explain(error) {
  return error instanceof Error && !(error instanceof Refusal) && error.stack ? error.stack : messageOf(error)
}

/**
 * @param {Counts} counts
 * @returns {string} like `12 passed, 0 failed`
 */
function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Prints the output of the failed steps, then the names of the failed tests and, in the last line, the totals. The
 * names are at the end because the logs of a CI are often cut to their end. Sets the exit code to 1 when a test has
 * failed.
 * @param {NamedResult[]} results
 */
export function summarize(results) {
  for (const { name, failed, output } of results) {
    if (failed === 0 || !output) continue
    console.log(`\n──── ${name} ${'─'.repeat(Math.max(4, 100 - name.length))}\n${output.trim()}`)
  }
  for (const { name, failed, failures } of results) {
    if (failed === 0) continue
    const lines = failures?.length ? failures : ['see the output above']
    console.log(`\nFailed in ${name}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
  const sum = (/** @type {keyof Counts} */ key) => results.reduce((total, result) => total + result[key], 0)
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  if (total.skipped > 0) console.log(`\n${total.skipped} skipped`)
  // docs/contract.md promises this form of the last line, so skipped tests have a line of their own.
  console.log(`\n${formatCounts({ ...total, skipped: 0 })}`)
  process.exitCode = total.failed > 0 ? 1 : 0
}
