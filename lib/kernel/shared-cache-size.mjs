import { processState } from './process-state.mjs'

/**
 * Returns an object whose `bytes()` is the size of the cache of the server in front of the application. The server sets
 * this function for the application's metrics. It returns 0 in a process without that server, as with `next start`.
 * @returns {{ bytes: () => number }}
 */
export function sharedCacheSize() {
  return processState('shared-cache-size', () => ({ bytes: () => 0 }))
}
