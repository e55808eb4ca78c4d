'use client'

import type { DropView } from '@/lib/drops/view'
import { readClaimEnd, useOpenClaim } from './use-open-claim'
import { readCheckoutEnd, readCheckoutQuantity, useOpenCheckout } from './use-open-checkout'

/**
 * Returns what this browser holds of a drop: whether it has an open checkout, how many units of the chosen value are in
 * that checkout, and `isMine`, whether those units are the last ones. A buyer whose open checkout holds the last units
 * must be able to return to this checkout. `claimPath` is the page where a unit is reserved for someone from the waitlist,
 * and `heldUntil` is the end of that reservation or of the open checkout.
 */
export function useOwnUnits(
  offer: DropView,
  value: string | null,
): {
  hasOpenCheckout: boolean
  heldForBuyer: number
  isMine: boolean
  claimPath: string | null
  heldUntil: Date | null
} {
  const hasOpenCheckout = useOpenCheckout(offer.id)
  const heldForBuyer = hasOpenCheckout ? readCheckoutQuantity(offer.id, value) : 0
  const isHeldValue = value === null || heldForBuyer > 0
  const isMine = hasOpenCheckout && isHeldValue && offer.state === 'live' && offer.available === 0
  const claimPath = useOpenClaim(offer, isMine)
  const heldUntil = claimPath ? readClaimEnd(offer.id) : hasOpenCheckout ? readCheckoutEnd(offer.id) : null
  return { hasOpenCheckout, heldForBuyer, isMine, claimPath, heldUntil }
}
