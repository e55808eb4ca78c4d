import { toCsv } from '@/lib/kernel/csv'
import { toDecimal } from '@/lib/kernel/money'
import type { PayoutsState } from './rules'

/** Where a seller's money is, in cents. `debtCents` is kept back from the next payouts. */
export type PayoutSummaryView = {
  state: PayoutsState
  waitingCents: number
  onTheWayCents: number
  sentCents: number
  debtCents: number
}

/** One line of a seller's statement. */
export type PayoutLineView = {
  orderId: string
  reference: string
  title: string
  paidAt: string
  amountCents: number
  platformFeeCents: number
  cardFeeCents: number | null
  shareCents: number
  /** What refunds and lost disputes took of the payout. */
  deductedCents: number
  /** The card fee of a refunded payment, which the seller owes. */
  feeOwedCents: number
  /** What was kept back from this payout for debts of other orders, and what later payouts paid of this order's debt. */
  withheldCents: number
  recoveredCents: number
  /** What the seller still owes for this order. */
  debtCents: number
  /** What was sent, or will be. */
  payoutCents: number
  state: 'waiting' | 'sent' | 'reversed'
  dueAt: string
  sentAt: string | null
  /** Between which days it reaches the bank; null until it is sent. */
  arrival: { earliest: string; latest: string } | null
}

const COLUMNS = [
  'Order',
  'Item',
  'Paid',
  'Amount',
  'Platform fee',
  'Card fee',
  'Your share',
  'Taken back',
  'State',
  'Due',
  'Sent',
  'Card fee owed',
  'Kept for other orders',
  'Paid by later payouts',
  'Still owed',
] as const

/** The statement as a file for spreadsheets: UTF-8, one line per order, amounts in dollars. */
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
  ])
  return `\uFEFF${toCsv(COLUMNS, rows)}`
}
