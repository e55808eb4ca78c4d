import type Stripe from 'stripe'
import { newId } from '@/lib/kernel/id'

/**
 * Makes an event of Stripe that has only the fields a test needs. Stripe's type requires the complete object, but the
 * code under test reads only a few fields and must work without all others.
 */
export function stripeEvent(type: string, object: object, fields: { account?: string; livemode?: boolean } = {}) {
  return { id: newId('evt'), type, data: { object }, ...fields } as Stripe.Event
}
