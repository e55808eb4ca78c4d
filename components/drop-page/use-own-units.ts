'use client'

import { useServerClock } from '@/lib/client/use-server-clock'
import type { DropView } from '@/lib/drops/view'
import { SECOND_MS } from '@/lib/kernel/time'
import { readClaimEnd, useOpenClaim } from './use-open-claim'
import { readCheckoutAddress, readCheckoutEnd, readCheckoutQuantity, useOpenCheckout } from './use-open-checkout'

/** The page on which a buyer can pay for a unit that is reserved for them: a claim from the waitlist, or a checkout. */
export type OwnPage = { href: string; isClaim: boolean }

/**
 * Returns what this browser holds of a drop: whether it has an open checkout, how many units of the chosen value are in
 * that checkout, and `isMine`, whether those units are the last ones. A buyer whose open checkout holds the last units
 * must be able to return to this checkout. `ownPage` is the page to which only a link leads: that of a unit that is
 * reserved for someone from the waitlist, or, when the drop has ended, that of the open checkout. `heldUntil` is the
 * end of that reservation or of the open checkout.
 */
export function useOwnUnits(
  offer: DropView,
  value: string | null,
): {
  hasOpenCheckout: boolean
  heldForBuyer: number
  isMine: boolean
  ownPage: OwnPage | null
  heldUntil: Date | null
} {
  const hasOpenCheckout = useOpenCheckout(offer.id)
  const heldForBuyer = hasOpenCheckout ? readCheckoutQuantity(offer.id, value) : 0
  const isHeldValue = value === null || heldForBuyer > 0
  const isMine = hasOpenCheckout && isHeldValue && offer.state === 'live' && offer.available === 0
  const claimPath = useOpenClaim(offer, isMine)
  const heldUntil = claimPath ? readClaimEnd(offer.id) : hasOpenCheckout ? readCheckoutEnd(offer.id) : null
  const isReserved = useServerClock(
    offer.serverTime,
    (second) => heldUntil !== null && second * SECOND_MS < heldUntil.getTime(),
  )
  const address = claimPath ?? (hasOpenCheckout && offer.state === 'ended' ? readCheckoutAddress(offer.id) : null)
  const ownPage = address !== null && isReserved ? { href: address, isClaim: claimPath !== null } : null
  return { hasOpenCheckout, heldForBuyer, isMine, ownPage, heldUntil }
}
