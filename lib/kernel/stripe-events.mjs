// The events that Stripe has to send. `npm run stripe:check`, which runs without the application, compares them with
// the endpoints at Stripe. Tests compare them with docs/stripe.md and with the events that lib/webhooks handles.

/** The events of the endpoint for the platform's own account. */
export const PLATFORM_EVENTS = /** @type {const} */ ([
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'charge.refunded',
  'charge.updated',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'payment_intent.canceled',
  'payment_intent.succeeded',
  'refund.created',
  'refund.failed',
  'refund.updated',
])

/** The events of the endpoint for connected accounts. */
export const CONNECT_EVENTS = /** @type {const} */ ([
  'account.application.deauthorized',
  'account.updated',
  'capability.updated',
  'payout.failed',
])
