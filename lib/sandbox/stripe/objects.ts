import 'server-only'
import type Stripe from 'stripe'

/** What Stripe lets a caller give for the payment that a checkout session will make. */
export type PaymentIntentData = {
  description?: string | undefined
  metadata: Stripe.Metadata
  receipt_email?: string | undefined
  shipping?: Stripe.PaymentIntent.Shipping | undefined
  statement_descriptor?: string | undefined
  statement_descriptor_suffix?: string | undefined
  transfer_group?: string | undefined
}

/** What the buyer typed on the card page, apart from the card. */
export type Buyer = {
  email: string
  cardholderName: string | null
  phone: string | null
  shipping: { name: string; address: Stripe.Address } | null
}

/** What Stripe keeps about a session and never shows: kept apart, so that no answer or event can leak it. */
export type CheckoutPlan = {
  id: string
  object: '~checkout_plan'
  lineItems: Stripe.LineItem[]
  paymentIntentData: PaymentIntentData
  createsCustomer: boolean
  /** Of a session of mode subscription: what is subscribed to, and the intent of its first payment. */
  subscription: { metadata: Stripe.Metadata; description: string | null; intentId: string | null } | null
  /** A card that waits for its owner's confirmation, and what was typed with it. */
  pending: { paymentMethodId: string; buyer: Buyer } | null
}

/** A way to a connected account's onboarding page, good for a while. */
type AccountLink = {
  id: string
  object: '~account_link'
  accountId: string
  returnUrl: string
  refreshUrl: string
  expiresAt: number
}

/** What is to go wrong with the next calls and deliveries, set by a sandbox door. */
export type Faults = { id: '~faults'; object: '~faults'; api: ApiFault | null; deliveries: DeliveryDisorder | null }

/** `remaining` calls whose path starts with `path` are answered like this; null means until it is switched off. */
export type ApiFault = {
  kind: 'slow' | 'reset-after-commit' | 'rate-limit' | 'error'
  path: string
  remaining: number | null
  /** How long a slow call takes. */
  delayMs: number
}

export type DeliveryDisorder = { isTwice: boolean; isShuffled: boolean; delayMs: number }

/** Which checkout session a payment intent belongs to: such an intent is paid and canceled through its session only. */
type IntentOwner = { id: string; object: '~intent_owner'; sessionId: string }

/** Everything that is stored, by its `object`. Kinds with a tilde are the stand-in's own and are never shown. */
export type Objects = {
  'checkout.session': Stripe.Checkout.Session
  payment_intent: Stripe.PaymentIntent
  payment_method: Stripe.PaymentMethod
  charge: Stripe.Charge
  balance_transaction: Stripe.BalanceTransaction
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  customer: Stripe.Customer
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
  '~checkout_plan': CheckoutPlan
  '~intent_owner': IntentOwner
  '~account_link': AccountLink
  '~faults': Faults
}

export type Kind = keyof Objects
export type Stored = Objects[Kind]
