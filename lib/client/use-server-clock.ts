'use client'

import { useSyncExternalStore } from 'react'
import { SECOND_MS } from '@/lib/kernel/time'
import { chooseOffset, type Measurement } from './choose-offset'

// The phone's clock may be wrong by minutes, and the page may come from a cache. Each response that contains the
// server's time therefore measures the offset again.
let best: Measurement | null = null
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | null = null

/**
 * Returns the best estimate of the server's current time, in milliseconds. Before the first measurement this is the
 * phone's own time.
 */
function serverNow(): number {
  return Date.now() + (best?.offsetMs ?? 0)
}

/** Measures the offset with a response that left the server at `serverTime`. The round trip took `roundTripMs`. */
export function learnServerTime(serverTime: string, roundTripMs: number): void {
  const measured = { offsetMs: Date.parse(serverTime) + roundTripMs / 2 - Date.now(), roundTripMs }
  const chosen = chooseOffset(best, measured)
  if (chosen === best) return
  best = chosen
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
    () => read(best === null ? firstSecond(renderedAt) : Math.floor(serverNow() / SECOND_MS)),
    () => read(Math.floor(Date.parse(renderedAt) / SECOND_MS)),
  )
}

const toSameSecond = (second: number) => second

/** Returns the server's time in whole seconds since 1970, and renders the component again every second. */
export function useServerSecond(renderedAt: string): number {
  return useServerClock(renderedAt, toSameSecond)
}

/** When the page began to arrive, in milliseconds since the navigation. */
const arrivedAt =
  typeof window === 'undefined'
    ? 0
    : ((performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.responseStart ?? 0)

/**
 * Estimates the server's time until the first measurement, as the page's render time plus the time since the page began
 * to arrive. This module may run seconds later (ADR 0060). UnhydratedClock counts in the same way.
 */
function firstSecond(renderedAt: string): number {
  return Math.floor((Date.parse(renderedAt) + performance.now() - arrivedAt) / SECOND_MS)
}
