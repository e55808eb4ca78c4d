import 'server-only'
import type Stripe from 'stripe'
import { brandOf, fingerprintOf, TEST_CARDS } from './cards'
import { noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import type { Tx } from '../store'

export type CardDetails = { digits: string; expMonth: number; expYear: number }

const EMPTY_BILLING: Stripe.PaymentMethod.BillingDetails = {
  address: null,
  email: null,
  name: null,
  phone: null,
  tax_id: null,
}

/**
 * Stores a card as a payment method. Of its number, only the last four digits and a hash (the fingerprint) are stored.
 */
export async function createCard(
  tx: Tx,
  card: CardDetails,
  billing: Stripe.PaymentMethod.BillingDetails,
): Promise<Stripe.PaymentMethod> {
  const brand = brandOf(card.digits)
  const method: Stripe.PaymentMethod = {
    id: stripeId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: fingerprintOf(card.digits),
      funding: 'credit',
      generated_from: null,
      last4: card.digits.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: unixSeconds(tx.now()),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  await tx.insert(method)
  return method
}

/**
 * Returns the stored payment method with this id. For the id of a test card, such as `pm_card_visa`, creates a new one.
 * Throws StripeFault for an unknown id.
 */
export async function resolvePaymentMethod(tx: Tx, id: string): Promise<Stripe.PaymentMethod> {
  const ready = TEST_CARDS.find((card) => card.token === id)
  if (ready) {
    return createCard(tx, { digits: ready.number, expMonth: 12, expYear: tx.now().getUTCFullYear() + 1 }, EMPTY_BILLING)
  }
  const method = await tx.find('payment_method', id)
  if (!method) throw noSuch('PaymentMethod', id, 'payment_method')
  return method
}
