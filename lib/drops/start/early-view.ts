import { earlyOpensAt, earlyUnitsLeft, publicUnits } from './early-rules'
import type { DropState } from '../rules'

/** The columns of a drop's row about early access (docs/product.md#early-access). */
export type EarlyRow = {
  /**
   * How many minutes before the start followers may buy, and how many units they may take; null without early access.
   */
  earlyMinutes: number | null
  earlyUnits: number | null
  /** How many units followers hold or bought before the start. */
  earlyTaken: number
}

/** What the public view of a drop says about early access. All fields are null without it, and from the start on. */
export type EarlyView = {
  /** When followers may begin to buy. */
  earlyStartsAt: string | null
  /** How many units stay for everyone at the public start. */
  publicUnits: number | null
  /** How many more units followers may take. */
  earlyLeft: number | null
}

/** What the seller sees: the minutes before the start, the units for followers, and how many of them are taken. */
export type SellerEarlyView = { minutes: number; units: number; taken: number }

/** Returns what the page says about early access until the public start. */
export function toEarlyView(row: EarlyRow & { startedAt: Date; quantity: number }, state: DropState): EarlyView {
  const opensAt = state === 'upcoming' ? earlyOpensAt(row) : null
  if (!opensAt) return { earlyStartsAt: null, publicUnits: null, earlyLeft: null }
  return { earlyStartsAt: opensAt.toISOString(), publicUnits: publicUnits(row), earlyLeft: earlyUnitsLeft(row) }
}

/** Returns what the seller sees about the early access of this run; null without early access. */
export function toSellerEarlyView({ earlyMinutes, earlyUnits, earlyTaken }: EarlyRow): SellerEarlyView | null {
  return earlyMinutes === null ? null : { minutes: earlyMinutes, units: earlyUnits ?? 0, taken: earlyTaken }
}
