// This is `npm run torture`. tests/torture/README.md lists its options.
import { parseArgs } from 'node:util'
import { runMutants } from './run-mutants'
import { runOnce, stopRun } from './run-once'
import type { Violation } from './violation'

const MAX_SHOWN = 8
const EVIDENCE_LETTERS = 1_500

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: process.env.SECONDS ?? '60' },
    seed: { type: 'string', ...(process.env.SEED ? { default: process.env.SEED } : {}) },
    runs: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    slow: { type: 'string', default: '1' },
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopRun().then(() => process.exit(130)))

function show(violations: readonly Violation[]): void {
  const counts = new Map<string, number>()
  for (const { check } of violations) counts.set(check, (counts.get(check) ?? 0) + 1)
  for (const [check, count] of counts) console.log(`  ✗ ${check}: ${count}`)
  for (const { check, evidence } of violations.slice(0, MAX_SHOWN)) {
    console.log(`  ${check} ${JSON.stringify(evidence).slice(0, EVIDENCE_LETTERS)}`)
  }
}

async function runAll(): Promise<boolean> {
  const first = Number(values.seed ?? Date.now() % 1_000_000)
  let isClean = true
  for (let run = 0; run < Number(values.runs); run += 1) {
    const [seed, seconds] = [first + run, Number(values.seconds)]
    console.log(`SEED=${seed}: ${seconds} s (repeat it with npm run torture -- --seed ${seed} --seconds ${seconds})`)
    const { violations, figures, history } = await runOnce({
      seed,
      seconds,
      slow: Number(values.slow),
      isHistoryKept: values.keep,
    })
    console.log(
      `${violations.length === 0 ? '✓' : '✗'} seed ${seed}: ${violations.length} violations ${JSON.stringify(figures)}`,
    )
    if (violations.length === 0) continue
    isClean = false
    show(violations)
    console.log(`  The history is in ${history}`)
  }
  return isClean
}

try {
  const seed = values.seed === undefined ? undefined : Number(values.seed)
  const isRight = values.mutants
    ? await runMutants({ names: positionals, seconds: Number(values.seconds), slow: Number(values.slow), seed })
    : await runAll()
  process.exitCode = isRight ? 0 : 1
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await stopRun()
}
