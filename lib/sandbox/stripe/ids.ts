import 'server-only'
import { newId } from '@/lib/kernel/id'

/** An id that looks like Stripe's: `pi_…`, `cs_test_…`. */
export function stripeId(prefix: string): string {
  return newId(prefix)
}

/** The id behind a reference that may be expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (!reference) return null
  return typeof reference === 'string' ? reference : reference.id
}

/** Stripe's times are whole seconds. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
