import 'server-only'
import { forgetSignIns } from '@/lib/accounts/forget-sign-ins'
import { forgetVisitors } from '@/lib/drops/analytics/forget-visitors'
import { forgetEarlyLinks } from '@/lib/followers/forget-early-links'
import { forgetRequests } from '@/lib/followers/forget-requests'
import type { Context } from '@/lib/infra/context'
import { forgetRateLimits } from '@/lib/infra/forget-rate-limits'
import { consume } from '@/lib/infra/rate-limit'
import { SECOND_MS } from '@/lib/kernel/time'
import { forgetMails } from '@/lib/notifications/forget-mails'
import { forgetUnpaid } from '@/lib/checkout/forget-unpaid'
import { forgetEntries } from '@/lib/waitlist/forget-entries'
import { closeGoneEvents } from '@/lib/webhooks/close-gone-events'
import { forgetEvents } from '@/lib/webhooks/forget-events'
import { collectErrors } from './collect-errors'

/** The highest number of rows that one statement removes, and how long a run repeats statements that find that many. */
const BATCH = 500
const RUN_MS = 3 * SECOND_MS

/** All processes together start at most one run in ten minutes, because most runs find nothing. */
const pace = { name: 'retention', points: 1, windowSeconds: 600 }

const steps: readonly ((ctx: Context, limit: number) => Promise<number>)[] = [
  forgetMails,
  forgetSignIns,
  closeGoneEvents,
  forgetEvents,
  forgetVisitors,
  forgetUnpaid,
  forgetEntries,
  forgetRequests,
  forgetEarlyLinks,
  forgetRateLimits,
]

/**
 * Removes personal data whose time has passed (docs/operations.md#how-long-data-is-kept). A large backlog is removed in
 * several runs, so that no run keeps the other jobs waiting. A step that fails does not stop the others.
 * @returns the number of rows that were emptied or deleted
 * @throws the first error, after every step has run
 */
export async function runRetention(ctx: Context): Promise<number> {
  const until = performance.now() + RUN_MS
  const { attempt, throwFirst } = collectErrors()
  let total = 0
  let open = steps
  while (open.length > 0) {
    const more: (typeof steps)[number][] = []
    for (const step of open) {
      const rows = (await attempt(() => step(ctx, BATCH))) ?? 0
      total += rows
      if (rows >= BATCH) more.push(step)
    }
    open = performance.now() < until ? more : []
  }
  throwFirst()
  return total
}

/** Calls runRetention() unless a process called it in the last ten minutes. */
export async function runDueRetention(ctx: Context): Promise<void> {
  if ((await consume(pace, 'all')) === null) await runRetention(ctx)
}
