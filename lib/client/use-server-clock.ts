'use client'

import { useSyncExternalStore } from 'react'
import { SECOND_MS } from '@/lib/kernel/time'

// The phone's clock may be wrong by minutes, and the page may come from a cache. Every response of the server measures
// the offset again, and the measurement with the shortest round trip is used.
let offsetMs: number | null = null
let bestRoundTripMs = Number.POSITIVE_INFINITY
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | null = null

/** The best estimate of the server's time now. */
function serverNow(): number {
  return Date.now() + (offsetMs ?? 0)
}

/** Measures the offset with a response that left the server at `serverTime`; the round trip took `roundTripMs`. */
export function learnServerTime(serverTime: string, roundTripMs: number): void {
  // The measured offset jumps when the phone's clock was set or the tab slept: then the newest measurement is used.
  const measured = Date.parse(serverTime) + roundTripMs / 2 - Date.now()
  const hasJumped = offsetMs !== null && Math.abs(measured - offsetMs) > 2 * SECOND_MS
  if (!hasJumped && roundTripMs > bestRoundTripMs) return
  bestRoundTripMs = roundTripMs
  offsetMs = measured
  tick()
}

function tick(): void {
  if (timer) clearTimeout(timer)
  for (const listener of listeners) listener()
  // Runs on the full second of the server's clock, so that two phones side by side change together.
  if (listeners.size > 0) timer = setTimeout(tick, SECOND_MS - (serverNow() % SECOND_MS) + 5)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && timer) clearTimeout(timer)
  }
}

/**
 * A value that depends on the server's clock, computed from whole seconds since 1970. The component renders again only
 * when the value changes, not every second. During hydration the clock shows the time at which the page was rendered.
 */
export function useServerClock<Reading extends number | boolean>(
  renderedAt: string,
  read: (second: number) => Reading,
): Reading {
  return useSyncExternalStore(
    subscribe,
    () => read(offsetMs === null ? firstSecond(renderedAt) : Math.floor(serverNow() / SECOND_MS)),
    () => read(Math.floor(Date.parse(renderedAt) / SECOND_MS)),
  )
}

const asItIs = (second: number) => second

/** The server's time in whole seconds, changing every second. */
export function useServerSecond(renderedAt: string): number {
  return useServerClock(renderedAt, asItIs)
}

/**
 * Until the first response, the server's time is estimated as the page's render time plus the time since the page
 * arrived.
 */
const arrivedAt = typeof performance === 'undefined' ? 0 : performance.now()
function firstSecond(renderedAt: string): number {
  return Math.floor((Date.parse(renderedAt) + performance.now() - arrivedAt) / SECOND_MS)
}
