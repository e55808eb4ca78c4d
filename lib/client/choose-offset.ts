import { SECOND_MS } from '@/lib/kernel/time'

/** How far the server's clock is ahead of this device's clock, as one response measured it. */
export type Measurement = { offsetMs: number; roundTripMs: number }

/**
 * Returns the measurement to use: the one with the shortest round trip, or the newest one if the device's clock was set
 * or the tab was suspended since. The offset has then jumped by more than a new measurement can be wrong. It can be
 * wrong by half of its round trip.
 */
export function chooseOffset(known: Measurement | null, measured: Measurement): Measurement {
  if (known === null || measured.roundTripMs <= known.roundTripMs) return measured
  const tolerated = 2 * SECOND_MS + measured.roundTripMs / 2
  return Math.abs(measured.offsetMs - known.offsetMs) > tolerated ? measured : known
}
