import { toCsv } from '@/lib/kernel/csv'
import { toDecimal } from '@/lib/kernel/money'
import type { PayoutsState } from './rules'

/** A seller's money by state, in cents. `debtCents` is withheld from the next payouts. */
export type PayoutSummaryView = {
  state: PayoutsState
  waitingCents: number
  onTheWayCents: number
  sentCents: number
  debtCents: number
}

/** The money line of the dashboard, in cents, with the days that belong to its sums as the seller's time zone writes them. */
export type MoneyLineView = Omit<PayoutSummaryView, 'sentCents'> & {
  /** What the orders paid in the last seven days earn, after fees, refunds and lost disputes. */
  earnedCents: number
  /** The first day on which a waiting payout is due; null if it is due already, or nothing can be sent. */
  nextDay: string | null
  /** The day by which everything that is on its way has reached the bank. */
  arrivalDay: string | null
}

/** One line of a seller's statement. */
export type PayoutLineView = {
  orderId: string
  reference: string
  title: string
  paidAt: string
  /** What the buyer paid. */
  amountCents: number
  /** The discount code and what it took off; null and 0 without one. */
  discountCode: string | null
  discountCents: number
  platformFeeCents: number
  cardFeeCents: number | null
  shareCents: number
  /** What refunds and lost disputes took of the payout. */
  deductedCents: number
  /** The card fee of a refunded payment, which the seller owes. */
  feeOwedCents: number
  /** What was withheld from this payout for debts of other orders, and what later payouts paid of this order's debt. */
  withheldCents: number
  recoveredCents: number
  /** What the seller still owes for this order. */
  debtCents: number
  /** The amount that was sent, or will be. */
  payoutCents: number
  state: 'waiting' | 'sent' | 'reversed'
  dueAt: string
  sentAt: string | null
  /** The range of days in which it reaches the bank; null until it is sent. */
  arrival: { earliest: string; latest: string } | null
}

const COLUMNS = [
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
] as const

/** The statement as CSV: UTF-8, one line per order, amounts in dollars. */
export function toStatementCsv(lines: readonly PayoutLineView[]): string {
  const rows = lines.map((line) => [
    line.reference,
    line.title,
    line.paidAt.slice(0, 10),
    toDecimal(line.amountCents),
    toDecimal(line.platformFeeCents),
    line.cardFeeCents === null ? null : toDecimal(line.cardFeeCents),
    toDecimal(line.shareCents),
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
  ])
  return `\uFEFF${toCsv(COLUMNS, rows)}`
}
