import type { User } from '@prisma/client'
import type { OrderStatus } from '@/lib/orders/rules'
import { toUserView, type UserView } from '@/lib/accounts/view'
import { type DropRow, type SellerDropView, toSellerDropView } from '@/lib/drops/view'

/** A user as administrators see one. */
export type AdminUserView = UserView & {
  suspendedUntil: string | null
  suspensionReason: string | null
  /** Until when an administrator has stopped the payouts; null when they are not stopped. */
  payoutsStoppedUntil: string | null
  /** Whether the account was closed. Only its payouts can still be stopped and released. */
  isDeleted: boolean
}

/** One user with what an administrator reads before deleting the account. */
export type AdminUserDetailView = AdminUserView & {
  /** What was already paid out, in cents, for orders that are refunded when the account is deleted. */
  paidOutCents: number
  /** What the seller owes for refunds, disputes and card fees, in cents. */
  debtCents: number
}

/**
 * Makes the view of a user for administrators, which is the user's own view with the reason and the end of a current
 * suspension.
 */
export function toAdminUserView(user: User, now: Date): AdminUserView {
  const view = toUserView(user, now)
  const { isSuspended } = view
  return {
    ...view,
    suspendedUntil: isSuspended ? (user.suspendedUntil?.toISOString() ?? null) : null,
    suspensionReason: isSuspended ? user.suspensionReason : null,
    payoutsStoppedUntil:
      user.payoutsStoppedUntil && user.payoutsStoppedUntil > now ? user.payoutsStoppedUntil.toISOString() : null,
    isDeleted: user.deletedAt !== null,
  }
}

export type AdminDropRow = DropRow & { sellerEmail: string; hiddenAt: Date | null }

/** In admin lists a drop includes its owner with email address and name (docs/contract.md#drop). */
export type AdminDropView = Omit<SellerDropView, 'user'> & {
  user: SellerDropView['user'] & { id: number; email: string }
  /**
   * Whether the drop is hidden: it was deleted by its seller or an administrator, refused in review, or its seller's
   * account was closed.
   */
  isRemoved: boolean
}

/** Makes the view of a drop for administrators, which is the seller's own view with the seller's email address. */
export function toAdminDropView(row: AdminDropRow): AdminDropView {
  // Administrators see the content in every state of the moderation, as the seller does.
  const view = toSellerDropView(row)
  return {
    ...view,
    user: { ...view.user, id: row.userId, email: row.sellerEmail },
    isRemoved: row.hiddenAt !== null,
  }
}

/** The statistics of the admin panel (docs/contract.md#calls-of-administrators). */
export type AdminStatsView = { totalUsers: number; activeDrops: number; totalOrders: number; totalViews: number }

/** One thing that an administrator's search found, with the page that shows it. */
export type SearchHitView = { label: string; detail: string; href: string }

/** What a search found, by kind, at most five of each. */
export type SearchView = Record<'users' | 'drops' | 'orders' | 'payouts' | 'disputes', SearchHitView[]>

/** The state of the platform, as a card of the admin panel shows it. */
export type HealthView = {
  databaseMs: number
  /** Webhook events that failed or were never handled. */
  openEvents: number
  oldestOpenEventAt: string | null
  mailWaiting: number
  mailFailing: number
  /** Holds of units for checkouts that are open, including overdue ones. */
  openHolds: number
  /** Holds that expired more than five minutes ago and were not closed by the sweep. */
  overdueHolds: number
  openRefunds: number
  /** Sellers who have to connect payouts again, because their account at Stripe is gone. */
  disconnectedSellers: number
  /**
   * Payouts of which a part must be paid by hand, because Stripe settled their payments in a currency other than
   * dollars.
   */
  payoutsInOtherCurrency: number
  openReviews: number
  /** How often browsers have reported the Content-Security-Policy violations that were seen in the last seven days. */
  policyReports: number
  newestPolicyReport: string | null
  pausedSince: string | null
}

/**
 * The money card of the admin panel. `paidToday` and `paidWeek` count orders; the other values are in cents. "Today" is
 * the last 24 hours, and "week" the last seven days.
 */
export type MoneyView = {
  paidToday: number
  amountTodayCents: number
  paidWeek: number
  amountWeekCents: number
  feeWeekCents: number
  refundedWeekCents: number
  waitingPayoutCents: number
  /** The sum of what sellers owe, for example for card fees of refunds and for reversals that Stripe refused. */
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
  /** The state of the seller's payout, or null before the order is paid. */
  transfer: 'waiting' | 'sent' | 'reversed' | null
  isStuck: boolean
  /**
   * Whether the seller's account was closed and the refund of this order waits for money that the seller was paid, or
   * was given up because that money did not come back.
   */
  isRefundUncovered: boolean
  /** What Stripe could not refund and is still owed to the buyer; normally 0. */
  failedRefundCents: number
  /** What the seller owes for this order, and what was kept back from its payout for other orders. */
  debtCents: number
  keptBackCents: number
  /**
   * The currency in which Stripe settled the payment, while a part of the payout has to be paid by hand. Normally null.
   */
  settledIn: string | null
  /** The amount that waits to be paid by hand; normally 0. */
  byHandCents: number
  /**
   * Whether a payment by hand can be recorded now. This is also true when nothing is due anymore, because a refund may
   * have followed a payment that was not recorded yet.
   */
  canPayByHand: boolean
  isPaidByHand: boolean
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
