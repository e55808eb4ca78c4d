import type { DropState } from '@/lib/drops/rules'
import { MINUTE_MS } from '@/lib/kernel/time'

/** How long a freed unit is kept for the next in line. */
export const CLAIM_MS = 10 * MINUTE_MS

/**
 * When the reminders of a start begin to leave: the more there are, the earlier, so that the last one leaves ten minutes
 * before the start (docs/product.md#scheduled-start). A process sends up to 25 a second; ten are counted on.
 */
export const REMINDERS_PER_SECOND = 10
/** Ten minutes until the start, and five for mails that have to be sent a second time. */
export const REMIND_AHEAD_SECONDS = 15 * 60

/** The pages of a reminder, as the last part of their address. */
export const reminderSteps = ['sent', 'confirm', 'done', 'stop', 'stopped'] as const

/** What somebody on a waitlist waits for. */
export type WaitsFor = 'start' | 'unit' | 'relaunch'

type OnOffer = { state: DropState; available: number }

/** What a visitor who cannot buy may wait for: the start, a unit of this run, a later run, or nothing. */
export function waitingFor(drop: OnOffer): WaitsFor | null {
  if (drop.state === 'scheduled') return 'start'
  if (drop.state === 'ended') return 'relaunch'
  if (drop.state === 'soldOut' || (drop.state === 'live' && drop.available === 0)) return 'unit'
  return null
}
