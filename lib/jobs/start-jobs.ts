import 'server-only'
import { Cron } from 'croner'
import { systemContext } from '@/lib/infra/context'
import { flushTaps } from '@/lib/drops/count-tap'
import { flushViews } from '@/lib/drops/count-view'
import { pool } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { standIn } from '@/lib/infra/stripe'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { runArchive } from './run-archive'
import { runWaitlist } from './run-waitlist'
import { createLeases, releaseLeases, withLease } from './with-lease'

const shared = globalThis as unknown as {
  lastcallJobs?: Cron[]
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

/** Starts the built-in scheduler of a self-hosted process; a second call changes nothing. */
export function startJobs(): void {
  if (shared.lastcallJobs) return
  const leases = createLeases()
  shared.lastcallJobs = [
    job('mail', '* * * * * *', () => sendDueMail(systemContext('mail'))),
    job('sandbox-webhooks', '* * * * * *', async () => standIn()?.deliverDue()),
    job('waitlist', '* * * * * *', () => withLease(leases, 'waitlist', runWaitlist)),
    job('archive', '*/15 * * * * *', () => withLease(leases, 'archive', () => runArchive())),
  ]
  const shutdown = (shared.lastcallShutdown ??= new Set())
  shutdown.add(async () => {
    for (const scheduled of shared.lastcallJobs ?? []) scheduled.stop()
    await Promise.allSettled(running)
    await flushViews()
    await flushTaps()
    await releaseLeases(leases).catch(() => undefined)
    await pool().end()
  })
}
