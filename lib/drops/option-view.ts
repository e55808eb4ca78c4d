import type { DropView } from './view'

/**
 * The drop as it is for somebody who wants this value of its option: what is left, what is in checkout, and whether it
 * is sold out. Without a choice it is the drop as a whole.
 */
export function ofValue(drop: DropView, value: string | null): DropView {
  const chosen = drop.option?.values.find((candidate) => candidate.value === value)
  if (!chosen) return drop
  const { left, inCheckout } = chosen
  const isSoldOut = drop.state === 'live' && left + inCheckout === 0
  return { ...drop, available: left, inCheckout, state: isSoldOut ? 'soldOut' : drop.state }
}
