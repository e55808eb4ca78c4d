import type { DropState } from '@/lib/drops/rules'
import { MINUTE_MS } from '@/lib/kernel/time'

/** How long a freed unit is held for the next person in line. */
export const CLAIM_MS = 10 * MINUTE_MS

/**
 * How many offers of a unit may end unpaid before the unit goes back on public sale (ADR 0074). People of a network
 * with so many unpaid offers come after those of other networks.
 */
export const OFFERS_OF_A_UNIT = 2

/**
 * The expected rate of reminders. The more reminders a start has, the earlier they begin, so that the last one is sent
 * ten minutes before the start (docs/product.md#scheduled-start). A process sends up to 40 a second, so this rate is a
 * safe estimate.
 */
export const REMINDERS_PER_SECOND = 10
/** Ten minutes before the start, plus five for emails that have to be sent a second time. */
export const REMIND_AHEAD_SECONDS = 15 * 60

/** The pages of a reminder, named by the last part of their URL. */
export const reminderSteps = ['sent', 'confirm', 'done', 'offered', 'stop', 'stopped'] as const

/** What a person on a waitlist waits for. */
export type WaitsFor = 'start' | 'unit' | 'relaunch'

type OnOffer = { state: DropState; available: number; isOpenEdition?: boolean; isNumbered?: boolean }

/** Whether nothing of an open edition can ever be ordered again. Units of a numbered drop stay sold after a refund. */
export function isClosedEdition({ state, isOpenEdition = false, isNumbered = false }: OnOffer): boolean {
  return isOpenEdition && (state === 'ended' || (state === 'soldOut' && isNumbered))
}

/**
 * Returns what a visitor who cannot buy may wait for: the start, a unit of this run or a later run; null for nothing.
 */
export function waitingFor(drop: OnOffer): WaitsFor | null {
  if (isClosedEdition(drop)) return null
  if (drop.state === 'upcoming') return 'start'
  if (drop.state === 'ended') return 'relaunch'
  if (drop.state === 'soldOut' || (drop.state === 'live' && drop.available === 0)) return 'unit'
  return null
}
