import 'server-only'
import { after } from 'next/server'
import { log } from '@/lib/infra/log'
import { processState } from '@/lib/kernel/process-state.mjs'
import { MINUTE_MS } from '@/lib/kernel/time'

/**
 * The work that a process without a scheduler does after its responses. lib/jobs/start-jobs.ts sets it. `prompt` does
 * the urgent work that a write leaves behind, such as sending email. `due` does all work that has become due.
 */
export type WorkAfterAnswers = { prompt: () => Promise<unknown>; due: () => Promise<unknown> }

type State = { work?: WorkAfterAnswers; dueAt: number; isWorking: boolean; hasMore: boolean }

const shared = processState('work-after-answer', (): State => ({ dueAt: -Infinity, isWorking: false, hasMore: false }))

/** Sets the work that this process does after responses. Later calls change nothing. */
export function setWorkAfterAnswers(work: WorkAfterAnswers): void {
  shared.work ??= work
}

/**
 * Does the scheduler's work after the response is sent, in a process without a scheduler (ADR 0047). `prompt` runs
 * after every write. `due` runs after any response, but at most once a minute.
 */
export function workAfterAnswer({ isWrite }: { isWrite: boolean }): void {
  const { work, dueAt } = shared
  if (!work) return
  const now = performance.now()
  if (now - dueAt >= MINUTE_MS) {
    shared.dueAt = now
    after(() => safely(work.due))
  }
  if (isWrite) after(() => oneAtATime(work.prompt))
}

/** Runs the work, and runs it again when another write arrived during the run, but never twice at the same time. */
async function oneAtATime(work: () => Promise<unknown>): Promise<void> {
  shared.hasMore = true
  if (shared.isWorking) return
  shared.isWorking = true
  try {
    while (shared.hasMore) {
      shared.hasMore = false
      await safely(work)
    }
  } finally {
    shared.isWorking = false
  }
}

async function safely(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => log().error({ cause: String(error) }, 'work after a response failed'))
}
