import 'server-only'
import { Cron } from 'croner'
import { systemContext } from '@/lib/infra/context'
import { flushTaps } from '@/lib/drops/count-tap'
import { flushViews } from '@/lib/drops/count-view'
import { pool } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { log } from '@/lib/infra/log'
import { standIn } from '@/lib/infra/stripe'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { flushIgnoredEvents } from '@/lib/webhooks/receive-stripe-event'
import { runArchive } from './run-archive'
import { runDueWork, runPromptWork } from './run-due-work'
import { runWaitlist } from './run-waitlist'

const shared = globalThis as unknown as {
  lastcallJobs?: Cron[]
  /** lib/http/work-after-answer.ts does this work. */
  lastcallAfterAnswers?: { prompt: () => Promise<unknown>; due: () => Promise<unknown> }
  lastcallShutdown?: Set<() => Promise<void>>
}

const ARCHIVE_LOCK = 4_711
const WAITLIST_LOCK = 4_712

/** Runs work in one process at a time; the other processes skip their turn. */
async function withLock(key: number, work: () => Promise<unknown>): Promise<void> {
  const client = await pool().connect()
  try {
    const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [key])
    if (!rows[0]?.got) return
    try {
      await work()
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [key])
    }
  } finally {
    client.release()
  }
}

/** The jobs that are running now. A stop waits for them, so that no work is done without being recorded. */
const running = new Set<Promise<unknown>>()

function job(name: string, pattern: string, work: () => Promise<unknown>): Cron {
  const onError = (error: unknown) => log().error({ job: name, cause: String(error) }, 'job failed')
  return new Cron(pattern, { name, protect: true, catch: onError, unref: true }, async () => {
    const run = work()
    running.add(run)
    await run.finally(() => running.delete(run))
  })
}

/**
 * Starts the built-in scheduler; a second call changes nothing. A serverless host stops a process between two requests,
 * so there the work is done after answers and by the scheduled call (ADR 0047).
 */
export function startJobs(): void {
  if (env().isServerless) {
    shared.lastcallAfterAnswers ??= { prompt: runPromptWork, due: () => runDueWork() }
    return
  }
  if (shared.lastcallJobs) return
  shared.lastcallJobs = [
    job('urgent-mail', '* * * * * *', () => sendDueMail(systemContext('urgent-mail'), { isUrgent: true })),
    job('mail', '* * * * * *', () => sendDueMail(systemContext('mail'))),
    job('sandbox-webhooks', '* * * * * *', async () => standIn()?.deliverDue()),
    job('waitlist', '* * * * * *', () => withLock(WAITLIST_LOCK, runWaitlist)),
    job('archive', '*/15 * * * * *', () => withLock(ARCHIVE_LOCK, () => runArchive())),
  ]
  const shutdown = (shared.lastcallShutdown ??= new Set())
  shutdown.add(async () => {
    for (const scheduled of shared.lastcallJobs ?? []) scheduled.stop()
    await Promise.allSettled(running)
    await flushViews()
    await flushTaps()
    await flushIgnoredEvents()
    await pool().end()
  })
}
