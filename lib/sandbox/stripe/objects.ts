import 'server-only'
import type Stripe from 'stripe'

/** What a caller may set on the payment intent that a checkout session will create. */
export type PaymentIntentData = {
  description?: string | undefined
  metadata: Stripe.Metadata
  receipt_email?: string | undefined
  shipping?: Stripe.PaymentIntent.Shipping | undefined
  statement_descriptor?: string | undefined
  statement_descriptor_suffix?: string | undefined
  transfer_group?: string | undefined
  capture_method?: 'automatic' | 'automatic_async' | undefined
}

/** What the buyer typed on the card page, apart from the card. */
export type CardPageBuyer = {
  email: string
  cardholderName: string | null
  phone: string | null
  shipping: { name: string; address: Stripe.Address } | null
}

/**
 * What the stand-in knows about a session beyond the session itself. The plan is a separate object, so that no event
 * and no response contains it as a whole. Only the line items have a route of their own.
 */
export type CheckoutPlan = {
  id: string
  object: '~checkout_plan'
  lineItems: Stripe.LineItem[]
  paymentIntentData: PaymentIntentData
  createsCustomer: boolean
  /** Only in subscription mode: the data of the subscription and the intent of its first payment. */
  subscription: { metadata: Stripe.Metadata; description: string | null; intentId: string | null } | null
  /** A card that the cardholder still has to confirm, and what the buyer typed with it. */
  pending: { paymentMethodId: string; buyer: CardPageBuyer } | null
  /** With automatic tax, the rates in basis points by country; null without. */
  taxRates: Readonly<Record<string, number>> | null
}

/** A short-lived link to a connected account's onboarding page. */
type AccountLink = {
  id: string
  object: '~account_link'
  accountId: string
  returnUrl: string
  refreshUrl: string
  expiresAt: number
  /** A link works for one visit only. `isVisited`: the page was shown. `isUsed`: a button on the page was pressed. */
  isVisited: boolean
  isUsed: boolean
}

/** How the next API calls and webhook deliveries fail. A sandbox endpoint changes these settings. */
export type Faults = {
  id: '~faults'
  object: '~faults'
  api: ApiFault | null
  deliveries: DeliveryDisorder | null
  /** Whether Stripe's rate limits are enforced. */
  limits: boolean
  /**
   * Whether a reversal that exceeds a connected account's balance makes this balance negative instead of being refused.
   */
  overdraws?: boolean
  /** Chooses which events are late and which are sent twice (disturbance.ts). With null, none is. */
  seed?: number | null
  /** Whether a payment gets its balance transaction, which contains the fee, only some time after it has succeeded. */
  settlesLate?: boolean
}

/**
 * A fault of the next `remaining` calls whose path starts with `path`. With null, the fault applies to all such calls
 * until it is switched off.
 */
export type ApiFault = {
  kind: 'slow' | 'reset-after-commit' | 'rate-limit' | 'error' | 'error-after-commit'
  path: string
  remaining: number | null
  /** How long a slow call takes, in milliseconds. */
  delayMs: number
}

export type DeliveryDisorder = { isTwice: boolean; isShuffled: boolean; delayMs: number }

/** A step that Stripe takes without a further request, some time after it has responded to the first one. */
export type LaterStep =
  | 'charge-settles'
  | 'refund-succeeds'
  | 'refund-is-funded'
  | 'refund-fails'
  | 'funds-return'
  | 'dispute-falls-due'
  | 'account-falls-due'
  | 'requirements-begin'
  | 'payout-arrives'

export type Later = { id: string; object: '~later'; subjectId: string; step: LaterStep; dueAt: number }

/** Links a payment intent to its checkout session. Such an intent is paid and canceled only through its session. */
type IntentOwner = { id: string; object: '~intent_owner'; sessionId: string }

/**
 * Every kind of stored object, by the value of its `object` field. Kinds that begin with a tilde exist only in the
 * stand-in, and no response contains them.
 */
export type Objects = {
  'checkout.session': Stripe.Checkout.Session
  payment_intent: Stripe.PaymentIntent
  payment_method: Stripe.PaymentMethod
  charge: Stripe.Charge
  balance_transaction: Stripe.BalanceTransaction
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  customer: Stripe.Customer
  customer_balance_transaction: Stripe.CustomerBalanceTransaction
  product: Stripe.Product
  price: Stripe.Price
  event: Stripe.EventBase
  subscription: Stripe.Subscription
  invoice: Stripe.Invoice
  invoice_payment: Stripe.InvoicePayment
  account: Stripe.Account
  payout: Stripe.Payout
  transfer: Stripe.Transfer
  transfer_reversal: Stripe.TransferReversal
  'billing_portal.session': Stripe.BillingPortal.Session
  'billing_portal.configuration': Stripe.BillingPortal.Configuration
  webhook_endpoint: Stripe.WebhookEndpoint
  payment_method_domain: Stripe.PaymentMethodDomain
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock
  '~checkout_plan': CheckoutPlan
  '~intent_owner': IntentOwner
  '~account_link': AccountLink
  '~later': Later
  '~faults': Faults
}

export type Kind = keyof Objects
export type Stored = Objects[Kind]
