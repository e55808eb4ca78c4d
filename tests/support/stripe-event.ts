import type Stripe from 'stripe'
import { newId } from '@/lib/kernel/id'

/**
 * An event of Stripe with only the fields that a test is about. Stripe's type demands the whole object of the event; the code
 * under test reads a few of its fields and must survive the absence of all others.
 */
export function stripeEvent(type: string, object: object, fields: { account?: string; livemode?: boolean } = {}) {
  return { id: newId('evt'), type, data: { object }, ...fields } as unknown as Stripe.Event
}
