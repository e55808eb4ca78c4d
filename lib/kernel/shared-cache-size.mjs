import { processState } from './process-state.mjs'

/**
 * How many bytes the cache of the server in front of the application holds. The server sets it for the application's
 * metrics. It is 0 in a process without that server, as with `next start`.
 * @returns {{ bytes: () => number }}
 */
export function sharedCacheSize() {
  return processState('shared-cache-size', () => ({ bytes: () => 0 }))
}
