import 'server-only'
import { after } from 'next/server'
import { log } from '@/lib/infra/log'
import { processState } from '@/lib/kernel/process-state.mjs'
import { MINUTE_MS } from '@/lib/kernel/time'

/**
 * What a process without a scheduler does after its answers; lib/jobs/start-jobs.ts sets it. `prompt` does what a write
 * leaves to be done at once, and `due` does everything that has become due.
 */
export type WorkAfterAnswers = { prompt: () => Promise<unknown>; due: () => Promise<unknown> }

type State = { work?: WorkAfterAnswers; dueAt: number; isWorking: boolean; hasMore: boolean }

const shared = processState('work-after-answer', (): State => ({ dueAt: -Infinity, isWorking: false, hasMore: false }))

/** Gives this process its work, once; without it nothing is done after answers. */
export function setWorkAfterAnswers(work: WorkAfterAnswers): void {
  shared.work ??= work
}

/**
 * In a process without a scheduler, does the scheduler's work once the answer is sent (ADR 0047): after a write what the
 * write left to be done, and after any answer, at most once a minute, everything that is due.
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

/** Writes that come while the work is being done are served by one more run after it. */
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
  await work().catch((error: unknown) => log().error({ cause: String(error) }, 'work after an answer failed'))
}
