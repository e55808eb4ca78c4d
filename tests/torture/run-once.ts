import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkHistory, type Verdict } from './check-history'
import { comeToRest } from './come-to-rest'
import { createRecorder } from './create-recorder'
import { planStorm, slowDown } from './plan-storm'
import { runStorm } from './run-storm'
import { startWorld, type World } from './start-world'

export type RunOptions = {
  seed: number
  seconds: number
  /** The factor by which the schedule is slowed down, for a busy machine. */
  slow: number
  isHistoryKept: boolean
}

/** The world of the current run, once it has started. stopRun() needs it to end all processes of an interrupted run. */
let current: World | undefined

/** Ends everything that the current run has started. Does nothing while the world is still starting. */
export async function stopRun(): Promise<void> {
  const world = current
  current = undefined
  await world?.stop()
}

/**
 * Runs one storm and checks its history. The history is removed if there are no violations, unless `isHistoryKept` is
 * set.
 * @returns the verdict, and the path of the history.
 */
export async function runOnce({
  seed,
  seconds,
  slow,
  isHistoryKept,
}: RunOptions): Promise<Verdict & { history: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), `lastcall-torture-${seed}-`))
  const recorder = createRecorder(path.join(folder, 'history.jsonl'))
  const plan = slowDown(planStorm(seed, seconds), slow)
  const startedAt = performance.now()
  const report = (what: string) => console.log(`  ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ${what}`)
  const world = await startWorld(plan, recorder)
  current = world
  try {
    report('two processes, the stand-in for Stripe and a mail server have started; the storm begins')
    const skipped = await runStorm(world)
    report('the storm has ended; the faults stop')
    const rest = await comeToRest(world)
    report(
      rest.afterMs === null
        ? 'the application did not come to rest'
        : `the application was at rest after ${(rest.afterMs / 1_000).toFixed(1)} s`,
    )
    const verdict = await checkHistory(world, rest)
    await recorder.close()
    if (verdict.violations.length === 0 && !isHistoryKept) rmSync(folder, { recursive: true, force: true })
    return { ...verdict, figures: { ...verdict.figures, ...skipped }, history: recorder.file }
  } finally {
    await stopRun()
  }
}
