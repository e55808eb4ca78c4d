import 'server-only'
import { Cron } from 'croner'
import { systemContext } from '@/lib/infra/context'
import { flushRefusals } from '@/lib/drops/count-refusal'
import { flushTaps } from '@/lib/drops/count-tap'
import { flushViews } from '@/lib/drops/count-view'
import type { WorkAfterAnswers } from '@/lib/http/work-after-answer'
import { pool } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { log } from '@/lib/infra/log'
import { standIn } from '@/lib/infra/stripe'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { yieldHolds } from '@/lib/orders/yield-holds'
import { flushIgnoredEvents } from '@/lib/webhooks/receive-stripe-event'
import { runArchive } from './run-archive'
import { runDueWork, runPromptWork } from './run-due-work'
import { runWaitlist } from './run-waitlist'
import { createLeases, releaseLeases, withLease } from './with-lease'

const shared = globalThis as unknown as {
  lastcallJobs?: Cron[]
  lastcallAfterAnswers?: WorkAfterAnswers
  lastcallShutdown?: Set<() => Promise<void>>
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
  const leases = createLeases()
  shared.lastcallJobs = [
    job('urgent-mail', '* * * * * *', () => sendDueMail(systemContext('urgent-mail'), { isUrgent: true })),
    job('mail', '* * * * * *', () => sendDueMail(systemContext('mail'))),
    job('sandbox-webhooks', '* * * * * *', async () => standIn()?.deliverDue()),
    job('waitlist', '* * * * * *', () => withLease(leases, 'waitlist', runWaitlist)),
    job('yield', '*/5 * * * * *', () => withLease(leases, 'yield', () => yieldHolds(systemContext('yield')))),
    job('archive', '*/15 * * * * *', () => withLease(leases, 'archive', () => runArchive())),
  ]
  const shutdown = (shared.lastcallShutdown ??= new Set())
  shutdown.add(async () => {
    for (const scheduled of shared.lastcallJobs ?? []) scheduled.stop()
    await Promise.allSettled(running)
    await flushViews()
    await flushTaps()
    await flushIgnoredEvents()
    await flushRefusals()
    await releaseLeases(leases).catch(() => undefined)
    await pool().end()
  })
}
