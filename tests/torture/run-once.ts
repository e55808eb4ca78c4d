import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkHistory, type Verdict } from './check-history'
import { comeToRest } from './come-to-rest'
import { createRecorder } from './create-recorder'
import { planStorm } from './plan-storm'
import { runStorm } from './run-storm'
import { startWorld, type World } from './start-world'

export type RunOptions = { seed: number; seconds: number; isHistoryKept: boolean }

/** The world of the run that is under way, so that an interrupted run leaves nothing behind. */
let current: World | undefined

/** Ends what a run has started. */
export async function stopRun(): Promise<void> {
  const world = current
  current = undefined
  await world?.stop()
}

/**
 * One storm and its check. The history is kept when something was found, and else removed.
 * @returns the verdict, and where the history is.
 */
export async function runOnce({ seed, seconds, isHistoryKept }: RunOptions): Promise<Verdict & { history: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), `lastcall-torture-${seed}-`))
  const recorder = createRecorder(path.join(folder, 'history.jsonl'))
  const plan = planStorm(seed, seconds)
  const startedAt = performance.now()
  const tell = (what: string) => console.log(`  ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ${what}`)
  const world = await startWorld(plan, recorder)
  current = world
  try {
    tell('two processes, Stripe and the mail server are there; the storm begins')
    const skipped = await runStorm(world)
    tell('the storm is over; the faults stop')
    const rest = await comeToRest(world)
    tell(rest.afterMs === null ? 'it did not come to rest' : `at rest after ${(rest.afterMs / 1_000).toFixed(1)} s`)
    const verdict = await checkHistory(world, rest)
    await recorder.close()
    if (verdict.violations.length === 0 && !isHistoryKept) rmSync(folder, { recursive: true, force: true })
    return { ...verdict, figures: { ...verdict.figures, ...skipped }, history: recorder.file }
  } finally {
    await stopRun()
  }
}
