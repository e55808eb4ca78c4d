import 'server-only'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { type Context, systemContext } from '@/lib/infra/context'
import { standIn } from '@/lib/infra/stripe'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { SECOND_MS } from '@/lib/kernel/time'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { checkReadyAccounts } from '@/lib/payouts/check-ready-accounts'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { collectErrors } from './collect-errors'
import { type ArchiveReport, runArchive } from './run-archive'
import { runWaitlist } from './run-waitlist'

export type DueWorkReport = ArchiveReport & { mails: number }

/** The maximum number of email batches in one run, because a serverless function may run for only a minute. */
const MAX_BATCHES = 20

/**
 * For how long one run reads connected accounts. Some hosts start a run only once a day, so it reads as many as it can.
 */
const ACCOUNTS_MS = 15 * SECOND_MS

/**
 * Does the work that a write may leave behind: puts unpaid units back on sale, delivers the webhooks of the sandbox,
 * and handles the waitlist, notices to followers, payouts and queued emails.
 * @returns the number of emails that were sent
 * @throws the first error, after every other step has run.
 */
export async function runPromptWork(): Promise<number> {
  const { attempt, throwFirst } = collectErrors()
  await attempt(() => yieldHolds(systemContext('yield')))
  await attempt(async () => standIn()?.deliverDue())
  await attempt(runWaitlist)
  await attempt(() => notifyFollowers(systemContext('followers')))
  // This runs after every write on hosts without a scheduler, so it reads no accounts: Stripe limits reads (ADR 0045).
  await attempt(() => sweepPayouts(systemContext('payouts'), { readsAccounts: false }))
  const mails = await attempt(sendMail)
  throwFirst()
  return mails ?? 0
}

/**
 * Does everything that the built-in scheduler does, once. The scheduled call uses it, and so do hosts without a
 * scheduler. Emails are sent last, because the other work queues some.
 * @throws the first error, after everything else was done.
 */
export async function runDueWork(ctx: Context = systemContext('archive')): Promise<DueWorkReport> {
  const { attempt, errors } = collectErrors()
  const report = await attempt(() => runArchive(ctx))
  await attempt(() => checkDueAccounts(ctx))
  const mails = await attempt(runPromptWork)
  if (!report || mails === undefined) throw errors[0]
  return { ...report, mails }
}

/** Reads the connected accounts that are due until none is left or the time is up. */
async function checkDueAccounts(ctx: Context): Promise<void> {
  const until = performance.now() + ACCOUNTS_MS
  while ((await checkReadyAccounts(ctx)) > 0 && performance.now() < until);
}

/**
 * Sends urgent emails first, and again before each batch of other emails, so that a long list never delays a receipt.
 */
async function sendMail(): Promise<number> {
  const ctx = systemContext('mail')
  let mails = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const sent = (await sendDueMail(ctx, { isUrgent: true })) + (await sendDueMail(ctx))
    if (sent === 0) break
    mails += sent
  }
  return mails
}
