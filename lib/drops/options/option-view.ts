import type { DropView } from '../view'

/**
 * Returns the drop as it is for a buyer who has chosen one value of its option, such as the size M: with the remaining
 * units, units in checkout and state of that value. Without a chosen value, or with an unknown one, it returns the drop
 * unchanged. An open edition is also returned unchanged, because its values have no stock of their own. During early
 * access, followers may be limited to fewer units than the value has left (earlyOffer).
 */
export function ofValue(drop: DropView, value: string | null): DropView {
  const chosen = drop.option?.values.find((candidate) => candidate.value === value)
  if (!chosen || drop.isOpenEdition) return drop
  const { left, inCheckout } = chosen
  const isSoldOut = drop.state === 'live' && left + inCheckout === 0
  return { ...drop, available: Math.min(left, drop.available), inCheckout, state: isSoldOut ? 'soldOut' : drop.state }
}

/**
 * Returns a scheduled drop as a follower with a working link sees it once early access is open: it is live, with the
 * units that are left for followers (docs/product.md#early-access). The values of its option keep their stock, because
 * a value is not sold out when its units are kept for everyone.
 */
export function earlyOffer(drop: DropView): DropView {
  return { ...drop, state: 'live', available: Math.min(drop.available, drop.earlyLeft ?? 0) }
}

/**
 * Returns the offer, or the scheduled drop if the follower can buy nothing early, because no unit is left for followers
 * or the chosen value is taken. Such a follower sees a drop that has not started, like everyone else, and can ask for a
 * reminder of the start.
 * @param offer the drop from earlyOffer(), as a buyer of the chosen value sees it
 * @param isMine whether the follower's own checkout holds the last units, so that they can return to it
 */
export function orNotStarted(offer: DropView, isMine: boolean): DropView {
  return offer.available > 0 || isMine ? offer : { ...offer, state: 'upcoming' }
}
