import 'server-only'
import { newId } from '@/lib/kernel/id'

/** An id that looks like Stripe's: `pi_…`, `cs_test_…`. */
export function stripeId(prefix: string): string {
  return newId(prefix)
}

/** Returns the id from a field of Stripe's API that holds either an id or, when expanded, the whole object. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (!reference) return null
  return typeof reference === 'string' ? reference : reference.id
}

/** Converts a date to Stripe's notation: whole seconds since 1970. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
