import { SECOND_MS } from './time'

/**
 * What the cookie CHECKOUT_HINT says: the drop, and when its units are released; null while the buyer waits in line.
 */
type CheckoutHint = { dropId: number; endsAt: Date | null }

/** Writes the value of the cookie CHECKOUT_HINT, such as "12.1795737600". */
export function writeCheckoutHint({ dropId, endsAt }: CheckoutHint): string {
  return endsAt ? `${dropId}.${Math.floor(endsAt.getTime() / SECOND_MS)}` : String(dropId)
}

/** Reads the value of the cookie CHECKOUT_HINT. Returns null when it was not written by writeCheckoutHint(). */
export function readCheckoutHint(text: string | null | undefined): CheckoutHint | null {
  const [, dropId, second] = /^(\d{1,10})(?:\.(\d{1,11}))?$/.exec(text ?? '') ?? []
  if (dropId === undefined) return null
  return { dropId: Number(dropId), endsAt: second === undefined ? null : new Date(Number(second) * SECOND_MS) }
}
