import type { User } from '@prisma/client'
import type { OrderStatus } from '@/lib/orders/rules'
import { toUserView, type UserView } from '@/lib/accounts/view'
import { type DropRow, type SellerDropView, toSellerDropView } from '@/lib/drops/view'

/** A user as administrators see one. */
export type AdminUserView = UserView & {
  suspendedUntil: string | null
  suspensionReason: string | null
}

export function toAdminUserView(user: User, now: Date): AdminUserView {
  const view = toUserView(user, now)
  const { isSuspended } = view
  return {
    ...view,
    suspendedUntil: isSuspended ? (user.suspendedUntil?.toISOString() ?? null) : null,
    suspensionReason: isSuspended ? user.suspensionReason : null,
  }
}

export type AdminDropRow = DropRow & { sellerEmail: string; hiddenAt: Date | null }

/** In admin lists a drop includes its owner with email address and name (docs/contract.md#drop). */
export type AdminDropView = Omit<SellerDropView, 'user'> & {
  user: SellerDropView['user'] & { id: number; email: string }
  /** Deleted, by its seller or by an administrator. */
  isRemoved: boolean
}

export function toAdminDropView(row: AdminDropRow): AdminDropView {
  // Content in review is hidden from the public but not from reviewers.
  const view = toSellerDropView(row)
  return {
    ...view,
    user: { ...view.user, id: row.userId, email: row.sellerEmail },
    isRemoved: row.hiddenAt !== null,
  }
}

/** The statistics of the admin panel (docs/contract.md#calls-of-administrators). */
export type AdminStatsView = { totalUsers: number; activeDrops: number; totalOrders: number; totalViews: number }

/** The health card of the panel. */
export type HealthView = {
  databaseMs: number
  /** Webhook events that failed or were never handled. */
  openEvents: number
  oldestOpenEventAt: string | null
  mailWaiting: number
  mailFailing: number
  /** Checkouts that are open right now. */
  openHolds: number
  /** Overdue holds that the sweep has not closed. */
  overdueHolds: number
  openRefunds: number
  /** Sellers who have to connect payouts again, because their account at Stripe is gone. */
  disconnectedSellers: number
  /** Payouts that wait because Stripe settled their payments in another currency than dollars. */
  payoutsInOtherCurrency: number
  openReviews: number
  /** All reports of the Content-Security-Policy violations seen in the last seven days, and the newest one. */
  policyReports: number
  newestPolicyReport: string | null
  pausedSince: string | null
}

/** The money card, in cents. */
export type MoneyView = {
  paidToday: number
  amountTodayCents: number
  paidWeek: number
  amountWeekCents: number
  feeWeekCents: number
  refundedWeekCents: number
  waitingPayoutCents: number
  /** What sellers owe in all: card fees of refunds, and reversals that Stripe refused. */
  sellerDebtCents: number
}

export type OverviewView = HealthView & MoneyView

type Values = Record<string, string | number | boolean | null> | null

export type AuditEntryView = {
  id: number
  actor: string
  action: string
  targetType: string
  targetId: string
  before: Values
  after: Values
  ip: string
  requestId: string
  createdAt: string
}

export type AdminOrderView = {
  id: string
  status: OrderStatus
  dropTitle: string
  dropId: number
  seller: string | null
  quantity: number
  amountCents: number
  platformFeeCents: number
  sellerPayoutCents: number
  refundedCents: number
  buyerEmail: string | null
  stripeSessionId: string | null
  /** The state of the seller's payout; null before the order is paid. */
  transfer: 'waiting' | 'sent' | 'reversed' | null
  isStuck: boolean
  /** What the seller owes for this order, and what of its payout was kept back for other orders. */
  debtCents: number
  keptBackCents: number
  /** The currency that its payout waits in, because Stripe settled the payment in it; normally null. */
  settledIn: string | null
  createdAt: string
  paidAt: string | null
}

export type WebhookEventView = {
  id: string
  type: string
  objectId: string
  outcome: string | null
  attempts: number
  receivedAt: string
  isHandled: boolean
}
