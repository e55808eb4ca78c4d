import { MINUTE_MS } from '@/lib/kernel/time'

/** How long a freed unit is kept for the next in line. */
export const CLAIM_MS = 10 * MINUTE_MS

/** The pages of a reminder, as the last part of their address. */
export const reminderSteps = ['sent', 'confirm', 'done', 'stop', 'stopped'] as const

type OnOffer = { state: 'live' | 'soldOut' | 'ended' | 'paused'; available: number }

/** What a visitor who cannot buy may wait for: a unit of this run, a later run, or nothing. */
export function waitingFor(drop: OnOffer): 'unit' | 'relaunch' | null {
  if (drop.state === 'ended') return 'relaunch'
  if (drop.state === 'soldOut' || (drop.state === 'live' && drop.available === 0)) return 'unit'
  return null
}
