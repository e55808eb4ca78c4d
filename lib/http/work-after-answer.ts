import 'server-only'
import { after } from 'next/server'
import { log } from '@/lib/infra/log'
import { MINUTE_MS } from '@/lib/kernel/time'

/**
 * What a process without a scheduler does after its answers; lib/jobs/start-jobs.ts leaves it on the global object, and
 * nothing where a scheduler runs. `prompt` is what a write leaves to be done at once, `due` is everything that has
 * become due.
 */
export type WorkAfterAnswers = { prompt: () => Promise<unknown>; due: () => Promise<unknown> }

const shared = globalThis as unknown as {
  lastcallAfterAnswers?: WorkAfterAnswers
  lastcallDueAt?: number
  lastcallIsWorking?: boolean
  lastcallHasMore?: boolean
}

/**
 * Has the work done that no scheduler of this process does, once the answer is sent (ADR 0047): after a write what it
 * left to be done, and after any answer, once a minute at most, everything that is due.
 */
export function workAfterAnswer({ isWrite }: { isWrite: boolean }): void {
  const { lastcallAfterAnswers: work, lastcallDueAt: dueAt = -Infinity } = shared
  if (!work) return
  const now = performance.now()
  if (now - dueAt >= MINUTE_MS) {
    shared.lastcallDueAt = now
    after(() => safely(work.due))
  }
  if (isWrite) after(() => oneAtATime(work.prompt))
}

/** Writes that come while the work is being done are served by one more run after it. */
async function oneAtATime(work: () => Promise<unknown>): Promise<void> {
  shared.lastcallHasMore = true
  if (shared.lastcallIsWorking) return
  shared.lastcallIsWorking = true
  try {
    while (shared.lastcallHasMore) {
      shared.lastcallHasMore = false
      await safely(work)
    }
  } finally {
    shared.lastcallIsWorking = false
  }
}

async function safely(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => log().error({ cause: String(error) }, 'work after an answer failed'))
}
