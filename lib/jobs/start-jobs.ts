import 'server-only'
import { Cron } from 'croner'
import { flushCollectors } from '@/lib/infra/collector'
import { systemContext } from '@/lib/infra/context'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { setWorkAfterAnswers } from '@/lib/http/work-after-answer'
import { pool } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { lacksMailServer } from '@/lib/infra/mail'
import { log } from '@/lib/infra/log'
import { countJobFailure } from '@/lib/infra/metrics'
import { standIn } from '@/lib/infra/stripe'
import { processState } from '@/lib/kernel/process-state.mjs'
import { shutdownHooks } from '@/lib/kernel/shutdown-hooks.mjs'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { runArchive } from './run-archive'
import { runDueWork, runPromptWork } from './run-due-work'
import { runWaitlist } from './run-waitlist'
import { createLeases, releaseLeases, withLease } from './with-lease'

const shared = processState('jobs', (): { jobs?: Cron[] } => ({}))

/** The jobs that are running now. A shutdown waits for them, so that no work is done without being recorded. */
const running = new Set<Promise<unknown>>()

function job(name: string, pattern: string, work: () => Promise<unknown>): Cron {
  const onError = (error: unknown) => {
    countJobFailure(name)
    log().error({ job: name, cause: String(error) }, 'job failed')
  }
  return new Cron(pattern, { name, protect: true, catch: onError, unref: true }, async () => {
    const run = work()
    running.add(run)
    await run.finally(() => running.delete(run))
  })
}

/**
 * Starts the built-in scheduler. A second call changes nothing. A serverless host stops a process between two requests.
 * There the work is done after responses and by the scheduled call (ADR 0047).
 */
export function startJobs(): void {
  if (lacksMailServer()) systemContext('mail').log.warn('emails wait in the outbox, because SMTP_URL is not set')
  if (env().isServerless) {
    setWorkAfterAnswers({ prompt: runPromptWork, due: () => runDueWork() })
    return
  }
  if (shared.jobs) return
  const leases = createLeases()
  shared.jobs = [
    job('urgent-mail', '* * * * * *', () => sendDueMail(systemContext('urgent-mail'), { isUrgent: true })),
    job('mail', '* * * * * *', () => sendDueMail(systemContext('mail'))),
    job('sandbox-webhooks', '* * * * * *', async () => standIn()?.deliverDue()),
    job('waitlist', '* * * * * *', () => withLease(leases, 'waitlist', runWaitlist)),
    job('followers', '* * * * * *', () =>
      withLease(leases, 'followers', () => notifyFollowers(systemContext('followers'))),
    ),
    job('yield', '*/5 * * * * *', () => withLease(leases, 'yield', () => yieldHolds(systemContext('yield')))),
    job('archive', '*/15 * * * * *', () => withLease(leases, 'archive', () => runArchive())),
  ]
  shutdownHooks().add(async () => {
    for (const scheduled of shared.jobs ?? []) scheduled.stop()
    await Promise.allSettled(running)
    await flushCollectors()
    await releaseLeases(leases).catch(() => undefined)
    await pool().end()
  })
}
