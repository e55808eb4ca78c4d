import 'server-only'
import type Stripe from 'stripe'
import { stripeId, unixSeconds } from '../ids'
import type { Tx } from '../store'

type Period = { start: number; end: number }

type InvoiceLine = {
  amountCents: number
  description: string
  isProration: boolean
  /** The time that the line pays for or credits, when it is not that of the invoice. */
  period?: Period
}

type NewInvoice = {
  customer: Stripe.Customer
  subscription: Stripe.Subscription
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  lines: readonly InvoiceLine[]
  period: Period
}

function lineOf(invoiceId: string, input: NewInvoice, line: InvoiceLine): Stripe.InvoiceLineItem {
  const item = input.subscription.items.data[0]
  return {
    id: stripeId('il'),
    object: 'line_item',
    amount: line.amountCents,
    currency: 'usd',
    description: line.description,
    discount_amounts: [],
    discountable: !line.isProration,
    discounts: [],
    invoice: invoiceId,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: line.isProration,
        proration_details: { credited_items: null },
        subscription: input.subscription.id,
        subscription_item: item?.id ?? '',
      },
      type: 'subscription_item_details',
    },
    period: line.period ?? input.period,
    pretax_credit_amounts: [],
    pricing: null,
    quantity: item?.quantity ?? 1,
    quantity_decimal: null,
    subscription: input.subscription.id,
    subtotal: line.amountCents,
    taxes: [],
  }
}

/** Builds a finalized invoice that is not paid yet. Uses the customer's credit, so `customer.balance` changes. */
export function buildInvoice(tx: Tx, input: NewInvoice): Stripe.Invoice {
  const { customer, subscription, period } = input
  const id = stripeId('in')
  const created = unixSeconds(tx.now())
  return {
    ...unusedFields(),
    ...customerFields(customer),
    ...amountFields(customer, input.lines),
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Lastcall sandbox',
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: null,
    billing_reason: input.reason,
    collection_method: 'charge_automatically',
    created,
    effective_at: created,
    issuer: { type: 'self' },
    lines: {
      object: 'list',
      data: input.lines.map((line) => lineOf(id, input, line)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `SANDBOX-${id.slice(-6).toUpperCase()}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    status: 'open',
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  }
}

/** Returns the total of the lines and the amount due after the customer's credit. Changes `customer.balance`. */
function amountFields(customer: Stripe.Customer, lines: readonly InvoiceLine[]) {
  const total = lines.reduce((sum, line) => sum + line.amountCents, 0)
  const startingBalance = customer.balance
  const dueCents = Math.max(0, total + startingBalance)
  // A credit is a negative balance; the unused part stays for the next invoice.
  customer.balance = Math.min(0, total + startingBalance)
  return {
    amount_due: dueCents,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: dueCents,
    amount_shipping: 0,
    currency: 'usd',
    ending_balance: customer.balance,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: startingBalance,
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
  } satisfies Partial<Stripe.Invoice>
}

function customerFields(customer: Stripe.Customer) {
  return {
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
  } satisfies Partial<Stripe.Invoice>
}

/** Returns the fields with the same value on every invoice, because the sandbox lacks the features they describe. */
function unusedFields() {
  return {
    account_tax_ids: null,
    application: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    custom_fields: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    last_finalization_error: null,
    latest_revision: null,
    on_behalf_of: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    statement_descriptor: null,
    test_clock: null,
    webhooks_delivered_at: null,
  } satisfies Partial<Stripe.Invoice>
}
