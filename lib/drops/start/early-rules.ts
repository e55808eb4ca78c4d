import { MINUTE_MS } from '@/lib/kernel/time'

/**
 * The fewest and the most minutes before the start at which followers may begin to buy (docs/product.md#early-access).
 * A rule of the table has the same limits (ADR 0076).
 */
export const EARLY_LIMITS = { least: 30, most: 120 } as const

/** The minutes that the forms offer. The API accepts every whole number between the limits. */
export const EARLY_CHOICES: readonly number[] = [30, 60, 90, 120]

/** The early access of a drop. `earlyTaken` counts the units that were held or sold early. */
type Early = { earlyMinutes: number | null; earlyUnits: number | null; earlyTaken: number; quantity: number }

/** Returns when followers may begin to buy, or null without early access. */
export function earlyOpensAt({
  startedAt,
  earlyMinutes,
}: {
  startedAt: Date
  earlyMinutes: number | null
}): Date | null {
  return earlyMinutes === null ? null : new Date(startedAt.getTime() - earlyMinutes * MINUTE_MS)
}

/** Returns how many units followers may take in all. At least one unit stays for everyone. */
function mostEarly({ earlyUnits, quantity }: Pick<Early, 'earlyUnits' | 'quantity'>): number {
  return Math.max(0, Math.min(earlyUnits ?? 0, quantity - 1))
}

/** Returns how many units stay for everyone at the public start, whatever followers buy. */
export function publicUnits(drop: Pick<Early, 'earlyUnits' | 'quantity'>): number {
  return drop.quantity - mostEarly(drop)
}

/** Returns how many more units followers may take early. The limit is enforced by the statement that takes units. */
export function earlyUnitsLeft(drop: Early): number {
  return Math.max(0, mostEarly(drop) - drop.earlyTaken)
}

/** Returns how many units the form proposes for followers: half of them, and at least one. */
export function proposedEarlyUnits(quantity: number): number {
  return Math.max(1, Math.floor(quantity / 2))
}

/**
 * Returns the path of the drop's page. With a token it is a follower's personal link (docs/product.md#early-access). A
 * buyer who came with such a link keeps its token.
 */
export function pathWithEarly(dropPath: string, early: string | undefined): string {
  return early ? `${dropPath}?${new URLSearchParams({ early }).toString()}` : dropPath
}
