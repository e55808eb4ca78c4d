import 'server-only'
import type { Subscription, User } from '@prisma/client'
import type Stripe from 'stripe'
import { lockUser } from '@/lib/accounts/lock-user'
import type { Plan } from '@/lib/kernel/plan'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { SECOND_MS } from '@/lib/kernel/time'
import { queueMail } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { compareStripeAccount } from '@/lib/platform/note-stripe-account'
import { cancelPlan } from './cancel-plan'
import { changePlan } from './change-plan'
import { closeBill } from './close-bill'
import { endForgottenPlan } from './end-forgotten-plan'
import { proEndedMail, proStartedMail, renewalFailedMail } from './mails'
import { refundCustomer } from './refund-customer'
import { returnCredit, usedCredit } from './return-credit'
import { chooseSubscription, DUPLICATE, graceOf, isEntitled, toBillingPeriod, toState } from './rules'

export type SyncOutcome = Plan | 'unknown'

const MAX_TRIES = 8

type Facts = Pick<
  Subscription,
  | 'stripeSubscriptionId'
  | 'status'
  | 'billingPeriod'
  | 'currentPeriodEnd'
  | 'cancelAtPeriodEnd'
  | 'cancelAt'
  | 'firstPaidAt'
  | 'graceUntil'
  | 'isEntitled'
>

type Known = User & { subscription: Subscription | null }

/**
 * Updates a user's plan from Stripe's current state, for example after a webhook. Webhooks only name the customer to
 * read, so their order does not matter. When two calls run at the same time, the row's version ensures that a call
 * writes only what it read from Stripe after the last write. Refunds and cancels duplicate subscriptions, cancels an
 * unpaid one once its seller has bought another, and closes the bills of those that have ended. A customer whom Stripe
 * no longer has pays for no plan.
 * @returns the plan at Stripe; 'unknown' if no user has this customer.
 */
export async function syncSubscription(ctx: Context, customerId: string): Promise<SyncOutcome> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const user = await ctx.db.user.findUnique({
      where: { stripeCustomerId: customerId },
      include: { subscription: true },
    })
    if (!user) return 'unknown'
    const all = await listSubscriptions(ctx, customerId)
    if (!all) {
      await endForgottenPlan(ctx, user.id)
      return 'free'
    }
    // The bills come first, so that an interrupted call leaves the row as it was and is repeated.
    for (const subscription of all) await closeBill(ctx, subscription)
    const { main, extra, overdue } = chooseSubscription(all, ctx.clock.now())
    if (!main) return 'free'
    const firstPaidAt = await firstPayment(ctx, customerId, user.subscription?.firstPaidAt ?? null)
    const facts = toFacts(main, firstPaidAt, ctx.clock.now())
    if (!facts) throw new Error(`subscription of ${customerId} has no item or an unknown status`)
    if (!(await write(ctx, user, facts, main))) continue
    for (const subscription of extra) await undoExtra(ctx, customerId, subscription)
    for (const { id } of overdue) await cancelPlan(ctx, id, { wasUnpaid: true })
    return facts.isEntitled ? 'pro' : 'free'
  }
  throw new Error(`subscription of ${customerId} changes faster than it can be written`)
}

/** Lists the subscriptions of a customer; null when the customer was deleted at Stripe. */
async function listSubscriptions(ctx: Context, customer: string): Promise<Stripe.Subscription[] | null> {
  const expand = ['data.latest_invoice']
  try {
    return (await ctx.stripe().subscriptions.list({ customer, status: 'all', limit: 100, expand })).data
  } catch (error) {
    // The keys of another account know no customer, although each of them still pays.
    if (isStripeMissing(error) && (await compareStripeAccount(ctx)) === 'same') return null
    throw error
  }
}

const fromSeconds = (seconds: number) => new Date(seconds * SECOND_MS)

/**
 * Returns when a customer first paid. Stripe lists the newest invoices first, so the first payment may be on the last
 * page. A seller who switches the period often has many invoices, so once a first payment is known, only the invoices
 * up to that time are read.
 */
async function firstPayment(ctx: Context, customerId: string, known: Date | null): Promise<Date | null> {
  const upToKnown = known ? { created: { lte: Math.floor(known.getTime() / SECOND_MS) } } : {}
  const all = ctx.stripe().invoices.list({ customer: customerId, status: 'paid', limit: 100, ...upToKnown })
  let first = Infinity
  for await (const invoice of all) {
    if (invoice.amount_paid > 0) first = Math.min(first, invoice.status_transitions.paid_at ?? Infinity)
  }
  return first === Infinity ? known : fromSeconds(first)
}

function toFacts(subscription: Stripe.Subscription, firstPaidAt: Date | null, now: Date): Facts | null {
  const status = toState(subscription.status)
  // Since the 2025 API versions the period is stored on the item.
  const [item] = subscription.items.data
  if (!status || !item) return null
  const grace = graceOf(subscription)
  return {
    stripeSubscriptionId: subscription.id,
    status,
    billingPeriod: toBillingPeriod(item.price.recurring?.interval),
    currentPeriodEnd: fromSeconds(item.current_period_end),
    // The billing portal sets a date and leaves `cancel_at_period_end` false (docs/product.md#how-pro-ends).
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    cancelAt: endOf(subscription, item.current_period_end),
    firstPaidAt,
    graceUntil: grace,
    isEntitled: isEntitled(status, grace, now),
  }
}

/** When a canceled subscription ends; null when it renews. */
function endOf({ cancel_at, cancel_at_period_end }: Stripe.Subscription, periodEnd: number): Date | null {
  if (cancel_at !== null) return fromSeconds(cancel_at)
  return cancel_at_period_end ? fromSeconds(periodEnd) : null
}

/**
 * Writes the row and the emails in one transaction. Also writes the plan if `isEntitled` has changed. A plan that an
 * administrator has set therefore stays until the state at Stripe changes.
 * @returns false if another call has written in between.
 */
async function write(ctx: Context, user: Known, facts: Facts, main: Stripe.Subscription): Promise<boolean> {
  const before = user.subscription
  // An unchanged row is not written again. Otherwise simultaneous calls would fail, because another call has just
  // written the same values.
  if (before && isSame(before, facts)) return true
  try {
    return await transaction(ctx, async (tx) => {
      // The account may have been closed since it was read.
      await lockUser(tx, user.id)
      const { deletedAt } = await tx.db.user.findUniqueOrThrow({ where: { id: user.id }, select: { deletedAt: true } })
      if (before) {
        const { count } = await tx.db.subscription.updateMany({
          where: { userId: user.id, version: before.version },
          data: {
            ...facts,
            version: before.version + 1,
            ...(isAnother(before, facts) ? { moneyBackAt: null, moneyBackDoneAt: null } : {}),
          },
        })
        if (count === 0) return false
      } else {
        await tx.db.subscription.create({ data: { ...facts, userId: user.id } })
      }
      // A closed account gets no plan and no email. sweepSubscriptions() ends its subscription.
      if (deletedAt) return true
      if (facts.isEntitled !== (before?.isEntitled ?? false)) await changePlan(tx, user, facts.isEntitled)
      const mails = mailsFor(user, before, { facts, main }, ctx.appUrl)
      if (mails.length > 0) await queueMail(tx, mails)
      return true
    })
  } catch (error) {
    if (uniqueViolation(error)) return false
    throw error
  }
}

function isSame(before: Facts, facts: Facts): boolean {
  const asText = (value: Facts[keyof Facts]) => (value instanceof Date ? value.toISOString() : value)
  return (Object.keys(facts) as (keyof Facts)[]).every((name) => asText(before[name]) === asText(facts[name]))
}

/**
 * Whether another subscription replaces one that was never paid. Only then is an earlier money-back request cleared,
 * because each person can get the money back once.
 */
function isAnother(before: Subscription, facts: Facts): boolean {
  return before.stripeSubscriptionId !== facts.stripeSubscriptionId && before.firstPaidAt === null
}

function mailsFor(
  user: User,
  before: Subscription | null,
  { facts, main }: { facts: Facts; main: Stripe.Subscription },
  appUrl: string,
): QueuedMail[] {
  const [item] = main.items.data
  const mails: QueuedMail[] = []
  if (facts.status === 'active' && before?.stripeSubscriptionId !== main.id) {
    const { billingPeriod, currentPeriodEnd: periodEnd } = facts
    const period = billingPeriod === 'yearly' ? 'yearly' : 'monthly'
    mails.push(proStartedMail(user, { subscriptionId: main.id, billingPeriod: period, periodEnd }, appUrl))
  }
  if (facts.graceUntil && facts.isEntitled && item) {
    const periodStart = fromSeconds(item.current_period_start)
    const failed = { subscriptionId: main.id, periodStart, graceUntil: facts.graceUntil }
    mails.push(renewalFailedMail(user, failed, appUrl))
  }
  if (before?.isEntitled && !facts.isEntitled) mails.push(proEndedMail(user, main.id, appUrl))
  return mails
}

/**
 * Refunds a duplicate subscription in full, returns the credit that it has used, and cancels it. Canceling comes last,
 * so that an interrupted call is repeated. First of all, Stripe stores that it is a duplicate, so that it cannot become
 * the plan that counts after it was refunded.
 */
async function undoExtra(ctx: Context, customerId: string, subscription: Stripe.Subscription): Promise<void> {
  const { id } = subscription
  ctx.log.warn({ subscriptionId: id }, 'a duplicate subscription was paid; it will be refunded and canceled')
  await ctx.stripe().subscriptions.update(id, { metadata: DUPLICATE })
  await refundCustomer(ctx, { subscription: id })
  let cents = 0
  for await (const bill of ctx.stripe().invoices.list({ subscription: id, limit: 100 })) cents += usedCredit(bill)
  await returnCredit(ctx, customerId, { cause: `duplicate ${id}`, cents })
  await cancelPlan(ctx, id)
}
