'use client'

import { useSyncExternalStore } from 'react'
import { SECOND_MS } from '@/lib/kernel/time'

// The phone's clock may be wrong by minutes, and the page may come from a cache. Each response that contains the
// server's time therefore measures the offset again. The measurement with the shortest round trip is used.
let offsetMs: number | null = null
let bestRoundTripMs = Number.POSITIVE_INFINITY
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | null = null

/**
 * Returns the best estimate of the server's current time, in milliseconds. Before the first measurement this is the
 * phone's own time.
 */
function serverNow(): number {
  return Date.now() + (offsetMs ?? 0)
}

/** Measures the offset with a response that left the server at `serverTime`. The round trip took `roundTripMs`. */
export function learnServerTime(serverTime: string, roundTripMs: number): void {
  // The measured offset jumps when the phone's clock is set or the tab has slept. In this case the newest measurement
  // is used.
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
  // The timer fires just after the full second of the server's clock, so that two phones side by side change together.
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
 * Returns a value that `read` computes from the server's time in whole seconds since 1970. The component renders again
 * only when the value changes, not every second. During hydration the clock shows the time at which the page was
 * rendered.
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

const toSameSecond = (second: number) => second

/** Returns the server's time in whole seconds since 1970, and renders the component again every second. */
export function useServerSecond(renderedAt: string): number {
  return useServerClock(renderedAt, toSameSecond)
}

/**
 * When the page began to arrive, in milliseconds since the navigation. Until the first measurement, the server's time
 * is estimated as the page's render time plus the time since then. This module may run seconds later (ADR 0060).
 * EarlyClock counts in the same way.
 */
const arrivedAt =
  typeof window === 'undefined'
    ? 0
    : ((performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.responseStart ?? 0)
function firstSecond(renderedAt: string): number {
  return Math.floor((Date.parse(renderedAt) + performance.now() - arrivedAt) / SECOND_MS)
}
