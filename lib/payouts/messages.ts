import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay, formatMoment } from '@/lib/kernel/time'
import { MOST_UNSHIPPED_CENTS, type PayoutsState } from './rules'
import type { RecapMoney, RecapView } from './view'

/** Writes when a payment was recorded, in the administrator's own time zone. */
const recordedAt = (when: Date) => when.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** The texts about recording a payment that an administrator made outside of Stripe. */
export const handPaymentTexts = {
  badAmount: 'Enter the amount you paid, for example 21.80.',
  badReference: 'Enter the reference of the payment, on one line and at most 100 characters long.',
  due: (amount: string, seller: string) =>
    `${seller} is due ${amount}, and Stripe can't send it. First send this amount by bank transfer, outside of Stripe. Then record it here. ${seller} sees the reference. You can't change this later.`,
  nothingDue: (seller: string) =>
    `Nothing is due to ${seller} for this order anymore, so don't pay now. If you paid before, record that payment here. ${seller} then owes the amount, and we deduct it from the next payouts. You can't change this later.`,
  recordedBefore: (when: Date) =>
    `This payment was already recorded on ${recordedAt(when)}, so we didn't record it again. If you made a second payment, enter another reference.`,
} as const

/** The texts about recording what a seller paid back outside of Stripe. */
export const debtPaymentTexts = {
  badAmount: 'Enter the amount the seller paid, for example 21.80.',
  owes: (amount: string) =>
    `This seller owes ${amount} for refunds, disputes and card fees. We deduct it from the next payouts.`,
  explain:
    "First check that the money is in your bank account. Then record it here. It pays the oldest debt first. You can't change this later.",
  recordedBefore: (when: Date) =>
    `This payment was already recorded on ${recordedAt(when)}, so we didn't record it again. If the seller paid a second time, enter another reference.`,
  recorded: { title: 'Repayment recorded' },
} as const

const payoutErrors = {
  PAYOUT_NOT_FOUND: { status: 404, text: "This order doesn't have a payout. Choose another order." },
  SENT_BY_STRIPE: { status: 409, text: "Stripe sends this payout, so you can't pay it manually." },
  ALREADY_PAID: { status: 409, text: 'This payout is already recorded as paid manually. Nothing more is due.' },
  PAYOUT_NOT_DUE: { status: 409, text: "This payout isn't due yet. Please pay and record it once it is." },
  PAYOUT_ON_HOLD: {
    status: 409,
    text: "The bank is still reviewing this payment, so don't pay the seller now. If you already paid, record it once the bank has decided.",
  },
  REFERENCE_USED: {
    status: 409,
    text: 'A payment of another amount is already recorded with this reference. Enter another reference.',
    field: 'reference',
  },
  AMOUNT_TOO_SMALL: {
    status: 409,
    text: 'The seller is due more than this. Pay the whole amount.',
    field: 'amount',
  },
  AMOUNT_TOO_LARGE: {
    status: 409,
    text: 'This is more than the payout of this order. Enter the amount you paid for this order only.',
    field: 'amount',
  },
  NOTHING_OWED: { status: 409, text: "This seller doesn't owe anything.", field: 'amount' },
  MORE_THAN_OWED: {
    status: 409,
    text: 'This is more than the seller owes. Record at most the debt, and return the rest.',
    field: 'amount',
  },
  PAYMENTS_OFF: { status: 503, text: "Payouts aren't set up here yet." },
  STRIPE_AWAY: { status: 503, text: "Our payment provider isn't responding. Please try again in a moment." },
} as const satisfies ErrorTable

export const payoutError = /* @__PURE__ */ errorsFrom(payoutErrors)

/** The texts of the recap of a run (docs/product.md#recap). */
export const recapTexts = {
  isOn: 'This run is still on, so the figures can change.',
  stillOpen: (units: number) =>
    units === 1
      ? "1 checkout is still open. We'll email you if it's paid."
      : `${units} checkouts are still open. We'll email you about each sale.`,
  openCardFees: (orders: number) =>
    `Stripe hasn't reported the card fee of ${orders === 1 ? '1 order' : `${orders} orders`} yet, so you'll keep a little less.`,
  allSent: 'Everything from this run is paid out.',
  notConnected: 'Connect payouts to receive this money.',
  heldUntil: (day: string) => `We'll send payouts to your Stripe account starting ${day}.`,
  dueNow: "We'll send the next payout soon.",
  dueOn: (day: string) => `We'll send the next payout when you ship, or on ${day}.`,
  proSaves: (amount: string) => `On Pro, with its 3% fee, you'd have kept ${amount} more from this run.`,
  removedChoices: 'Removed choices',
  sourcesNeedPro: 'Upgrade to Pro to see which apps and sites your buyers came from.',
} as const

/** Says when the waiting part of a run's money is paid out. Empty when nothing was or will be paid out. */
export function payoutDayText(money: RecapMoney, state: PayoutsState, timezone: string, now: Date): string {
  if (money.nextDueAt === null) return money.sentCents > 0 ? recapTexts.allSent : ''
  if (state !== 'ready') return recapTexts.notConnected
  if (money.heldUntil && money.heldUntil > now) return recapTexts.heldUntil(formatDay(money.heldUntil, timezone))
  return money.nextDueAt > now ? recapTexts.dueOn(formatDay(money.nextDueAt, timezone)) : recapTexts.dueNow
}

/**
 * Says from when payouts are sent to a new account, and why they wait (docs/product.md#when-a-payout-is-sent).
 */
export function payoutsHeldText(heldUntil: Date, timezone: string): string {
  return `To keep your money safe, we send payouts to a new Stripe account only after three days. Yours start on ${formatMoment(heldUntil, timezone)}. If you didn't connect this account, undo it with the link in our email.`
}

/** Says until when an administrator has stopped a seller's payouts, and whom the seller can ask. */
export function payoutsStoppedText(stoppedUntil: Date, timezone: string): string {
  return `Your payouts are on hold until ${formatMoment(stoppedUntil, timezone)} while we review your account. The money is still yours. Questions? Write to ${brand.contact.support}.`
}

/** Says that a missing part of a payout is sent again. */
export const sendAgainText = (cents: number) => `We'll send ${formatUsd(cents)} again`

/** Says why the payout of an order with a dispute is not sent. */
export const disputedTexts = {
  open: 'On hold until the bank decides',
  openAfterPayout: "Deducted until the bank decides. If you win, we'll send it again",
  lost: 'Deducted for the lost dispute',
} as const

/**
 * Says when a waiting payout is sent to an account that is ready.
 * @param when.heldUntil is set while the account is new, or while an administrator has stopped the payouts
 * @param when.timezone the seller's time zone
 * @param when.isPromisedParcel whether the order has a promised day and is not shipped. Before it is shipped, only
 *   MOST_UNSHIPPED_CENTS of all such payouts are sent.
 */
export function payoutDueText(
  dueAt: Date,
  {
    heldUntil,
    timezone,
    now,
    isPromisedParcel,
  }: { heldUntil: Date | null; timezone: string; now: Date; isPromisedParcel: boolean },
): string {
  const day = (at: Date) => formatDay(at, timezone)
  const until = heldUntil && heldUntil > now ? heldUntil : null
  if (dueAt > now) {
    if (until && until > dueAt) return `We'll send this payout on ${day(until)}`
    const early = isPromisedParcel
      ? ` if it fits in the ${formatUsd(MOST_UNSHIPPED_CENTS)} that we send before shipping`
      : ''
    const latest = `We'll send this payout when you ship, or on ${day(dueAt)}${early}`
    return until ? `${latest}, but not before ${day(until)}` : latest
  }
  if (until) return `We'll send this payout on ${day(until)}`
  return isPromisedParcel
    ? "We'll send this payout when you ship"
    : "We'll send this payout soon, usually within a minute"
}

/** Says how many units of one choice a run sold: "3 of 5", or "3" for an earlier run, whose stock is not known. */
export function soldOfText({ sold, quantity }: NonNullable<RecapView['values']>[number]): string {
  return quantity === null ? formatCount(sold) : `${formatCount(sold)} of ${formatCount(quantity)}`
}

/**
 * The texts of the states of a seller's payouts: how far they are set up, and what the next step is
 * (docs/product.md#payout-states).
 */
export const payoutStateTexts: Record<PayoutsState, { label: string; text: string; button: string | null }> = {
  notStarted: {
    label: 'Not connected',
    text: "You can sell right away. We'll hold your payouts here until you connect a bank account.",
    button: 'Connect payouts',
  },
  incomplete: {
    label: 'Incomplete',
    text: "We still need some details before we can pay you. We'll hold your payouts until then.",
    button: 'Continue',
  },
  review: {
    label: 'Under review',
    text: "Stripe is reviewing your details, which usually takes less than a day. You don't need to do anything. We'll send your payouts when the review is done.",
    button: null,
  },
  paused: {
    label: 'Paused',
    text: "Stripe paused your payouts because it needs more information. You can keep selling. We'll hold your payouts until Stripe has what it needs.",
    button: "See what's needed",
  },
  ready: {
    label: 'Ready',
    text: 'Payouts are automatic. We pay out physical orders when you ship them or after 7 days, and everything else right away. If you promised a shipping day, we send at most $500 before you ship.',
    button: 'See your balance',
  },
  disconnected: {
    label: 'Disconnected',
    text: "Your Stripe account is no longer connected to us, so we can't send you payouts. You can keep selling. We'll hold your payouts until you connect again.",
    button: 'Connect again',
  },
}
