import 'server-only'
import { type Context, systemContext } from '@/lib/infra/context'
import { standIn } from '@/lib/infra/stripe'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { yieldHolds } from '@/lib/orders/yield-holds'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { type ArchiveReport, runArchive } from './run-archive'
import { runWaitlist } from './run-waitlist'

export type DueWorkReport = ArchiveReport & { mails: number }

/** How many batches of mail one run sends at most, because a function of a serverless host may run for only a minute. */
const MAX_BATCHES = 20

/**
 * Does what a write may have left to be done: puts unpaid units back on sale, delivers the webhooks of the sandbox, and
 * serves the waitlist, payouts and mail.
 * @returns how many mails were sent.
 */
export async function runPromptWork(): Promise<number> {
  const errors: unknown[] = []
  await attempt(errors, () => yieldHolds(systemContext('yield')))
  await attempt(errors, async () => standIn()?.deliverDue())
  await attempt(errors, runWaitlist)
  await attempt(errors, () => sweepPayouts(systemContext('payouts')))
  const mails = await attempt(errors, sendMail)
  if (errors.length > 0) throw errors[0]
  return mails ?? 0
}

/**
 * Does everything that the built-in scheduler does, once: for the scheduled call, and on hosts without a scheduler. Mail
 * comes last, because the other work queues mail.
 * @throws the first error, after everything else was done.
 */
export async function runDueWork(ctx: Context = systemContext('archive')): Promise<DueWorkReport> {
  const errors: unknown[] = []
  const report = await attempt(errors, () => runArchive(ctx))
  const mails = await attempt(errors, runPromptWork)
  if (!report || mails === undefined) throw errors[0]
  return { ...report, mails }
}

/** Sends urgent mail first and again before each batch of other mail, so that a long list never delays a receipt. */
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

/** Runs a step and collects its error, so that the next steps run all the same. */
async function attempt<Result>(errors: unknown[], step: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await step()
  } catch (error) {
    errors.push(error)
    return undefined
  }
}
