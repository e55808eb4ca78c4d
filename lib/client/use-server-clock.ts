'use client'

import { useSyncExternalStore } from 'react'
import { SECOND_MS } from '@/lib/kernel/time'

// The phone's clock may be wrong by minutes and the page may have come from a cache: every answer of the server sets
// the offset anew, and the best one (the quickest answer) wins.
let offsetMs: number | null = null
let bestRoundTripMs = Number.POSITIVE_INFINITY
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | null = null

/** The server's time now, as well as it is known. */
function serverNow(): number {
  return Date.now() + (offsetMs ?? 0)
}

/** Learns from an answer that left the server at `serverTime` and took `roundTripMs` there and back. */
export function learnServerTime(serverTime: string, roundTripMs: number): void {
  // A clock that was set, or a tab that slept, shows as a jump: then the newest answer is right.
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
  // On the second of the server's clock, so that two phones side by side change together.
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
 * What somebody reads off the server's clock, in whole seconds since 1970; draws anew when the reading changes, not each
 * second. During hydration it is the time the page was made.
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

/** Until the first answer the page's own time is the best guess, moved on by what has passed since it arrived. */
const arrivedAt = typeof performance === 'undefined' ? 0 : performance.now()
function firstSecond(renderedAt: string): number {
  return Math.floor((Date.parse(renderedAt) + performance.now() - arrivedAt) / SECOND_MS)
}
