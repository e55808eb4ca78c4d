import type { VisitSource } from '@/lib/drops/rules'
import type { Demand } from '@/lib/drops/view'
import type { Cell } from '@/lib/kernel/csv'
import { toDecimal } from '@/lib/kernel/money'
import type { PayoutsState } from './rules'

/** A seller's money by state, in cents. `debtCents` is withheld from the next payouts. */
export type PayoutSummaryView = {
  state: PayoutsState
  /**
   * Until when no money is sent, because the connected account is new (ADR 0069) or an administrator has stopped the
   * payouts; null when nothing holds it back.
   */
  heldUntil: Date | null
  /** Whether an administrator has stopped the payouts. */
  isStopped: boolean
  waitingCents: number
  onTheWayCents: number
  sentCents: number
  debtCents: number
}

/**
 * The money line of the dashboard, in cents, with the days that belong to its sums. Days are written in the seller's
 * time zone.
 */
export type MoneyLineView = Omit<PayoutSummaryView, 'sentCents' | 'heldUntil'> & {
  /** The amount that the orders paid in the last seven days earn after fees, refunds and disputes. */
  earnedCents: number
  /** The first day on which a waiting payout is due; null if a payout is due already or nothing can be sent. */
  nextDay: string | null
  /** The day by which everything that is on its way should have reached the bank; null when nothing is on its way. */
  arrivalDay: string | null
}

/**
 * The money of a run, in cents. `netCents` is what the seller keeps: `paidCents` less the refunds and both fees, plus
 * `otherCents`, which is negative for a lost dispute and normally 0.
 */
export type RecapMoney = {
  /** What buyers paid, after discounts. */
  paidCents: number
  refundedCents: number
  /** The platform's fees with the withheld taxes, and the taxes alone. */
  platformFeeCents: number
  taxCents: number
  cardFeeCents: number
  /** The number of orders whose card fee Stripe has not reported yet. */
  openCardFees: number
  otherCents: number
  netCents: number
  sentCents: number
  /** When the next waiting payout of the run is due; null when none waits. */
  nextDueAt: Date | null
  /** Until when no money is sent to the seller, as in PayoutSummaryView. */
  heldUntil: Date | null
}

/** The response to recording what a seller paid back (lib/payouts/record-debt-payment.ts). */
export type DebtPaymentView = { debtCents: number; recordedBefore: string | null }

/** How one run of a drop went, for its seller (docs/product.md#recap). */
export type RecapView = {
  dropId: number
  title: string
  run: number
  startedAt: Date
  endTime: Date
  /** Whether the run can still sell. */
  isOn: boolean
  quantity: number
  /** Whether the quantity is the cap of an open edition. */
  isOpenEdition: boolean
  sold: number
  /** How many of the sold units followers bought before the public start. */
  earlySold: number
  /** The name of the drop's option; null without an option. */
  optionName: string | null
  /**
   * The units sold of each value, in the drop's order. `quantity` is null for runs before the current one, and `value`
   * is null for units whose value no longer exists. Null without an option.
   */
  values: { value: string | null; quantity: number | null; sold: number }[] | null
  /**
   * Who waits for the drop; null for runs before the current one, because those people were emailed about the next run.
   */
  waiting: Demand | null
  /** How many milliseconds after its start the run was sold out; null while units are left. */
  soldOutMs: number | null
  views: number
  checkouts: { open: number; unpaid: number }
  /** How many times no unit was held for a press on Buy, although the drop had unsold units. */
  refused: number
  /** Where visitors came from; null on plans without Live Analytics. */
  sources: { source: VisitSource; views: number; paid: number }[] | null
  money: RecapMoney
  /** How much less the platform fee of this run would have been on Pro, in cents. */
  proSavesCents: number
}

/** A payment to the seller that we made outside of Stripe. */
export type HandPaymentView = { amountCents: number; reference: string; paidAt: string }

/** Makes the view of a hand payment. */
export const toHandPaymentView = (row: {
  amountCents: number
  reference: string
  createdAt: Date
}): HandPaymentView => ({
  amountCents: row.amountCents,
  reference: row.reference,
  paidAt: row.createdAt.toISOString(),
})

/** One line of a seller's statement. */
export type PayoutLineView = {
  orderId: string
  reference: string
  title: string
  paidAt: string
  /** What the buyer paid. */
  amountCents: number
  /** The discount code, and the cents that it took off; null and 0 without a code. */
  discountCode: string | null
  discountCents: number
  /** The surcharge for shipping, which is part of the amount. */
  shippingCents: number
  /** The platform's fee with the withheld tax, and the tax alone, which is 0 without Stripe Tax. */
  platformFeeCents: number
  taxCents: number
  cardFeeCents: number | null
  /** The payout before deductions, less the card fee once that is known. */
  netCents: number
  /** The amount that refunds and disputes deducted from the payout. */
  deductedCents: number
  /** The part of the card fee that a refunded payment no longer covers, and that the seller owes. */
  feeOwedCents: number
  /**
   * The amount withheld from this payout for debts of other orders, and the amount that later payouts paid of this
   * order's debt.
   */
  withheldCents: number
  recoveredCents: number
  /** The amount that the seller still owes for this order. */
  debtCents: number
  /** The amount that we still have to pay by hand, because a refund failed after the first payment; normally 0. */
  dueAgainCents: number
  /** The amount that we still have to send again through Stripe, because a refund or a dispute failed; normally 0. */
  againCents: number
  /** The amount that was sent, or will be. */
  payoutCents: number
  state: 'waiting' | 'sent' | 'reversed'
  /** The dispute that holds the payout back, or that has taken it; null without one. */
  dispute: 'open' | 'lost' | null
  /** The currency in which Stripe settled the payment, if the payout waits because of it; normally null. */
  settledIn: string | null
  /** The payments that we made outside of Stripe, the oldest first; normally none. */
  handPayments: HandPaymentView[]
  dueAt: string
  /** Whether the order has a promised day and is not shipped yet. */
  isPromisedParcel: boolean
  sentAt: string | null
  /**
   * The range of days in which the payout reaches the bank; null until Stripe sends it, and when it was paid by hand.
   */
  arrival: { earliest: string; latest: string } | null
}

/** The columns of the statement as CSV, which has one line per order and amounts in dollars. */
export const STATEMENT_COLUMNS = [
  'Order',
  'Item',
  'Paid',
  'Amount',
  'Platform fee',
  'Card fee',
  'Your payout',
  'Taken back',
  'State',
  'Due',
  'Sent',
  'Card fee owed',
  'Kept for other orders',
  'Paid by later payouts',
  'Still owed',
  'Discount code',
  'Discount',
  'Paid by bank transfer',
  'Reference',
  'Due again',
  'Shipping',
] as const

/** The cells of one line of the statement. */
export const toStatementCells = (line: PayoutLineView): Cell[] => [
  line.reference,
  line.title,
  line.paidAt.slice(0, 10),
  toDecimal(line.amountCents),
  toDecimal(line.platformFeeCents),
  line.cardFeeCents === null ? null : toDecimal(line.cardFeeCents),
  toDecimal(line.netCents),
  toDecimal(line.deductedCents),
  line.state,
  line.dueAt.slice(0, 10),
  line.sentAt?.slice(0, 10) ?? null,
  toDecimal(line.feeOwedCents),
  toDecimal(line.withheldCents),
  toDecimal(line.recoveredCents),
  toDecimal(line.debtCents),
  line.discountCode,
  toDecimal(line.discountCents),
  toDecimal(line.handPayments.reduce((sum, { amountCents }) => sum + amountCents, 0)),
  line.handPayments.map(({ reference }) => reference).join(', ') || null,
  toDecimal(line.dueAgainCents),
  toDecimal(line.shippingCents),
]
