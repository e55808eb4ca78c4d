import 'server-only'
import type { RateLimit } from './rate-limit'

/**
 * How often one account may make calls that each call Stripe, such as opening the billing page or connecting payouts.
 * Stripe limits the calls of the whole platform (ADR 0045), so nobody may use them up. The number is far above what a
 * person does.
 */
export const STRIPE_CALL_LIMIT: RateLimit = { name: 'stripe-calls', points: 60, windowSeconds: 600 }
