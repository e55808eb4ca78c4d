import { processState } from './process-state.mjs'

/**
 * Where the server in front of the application says how many bytes its cache holds, and the application's metrics read it. It
 * is 0 in a process without that server, as with `next start`.
 * @returns {{ bytes: () => number }}
 */
export function sharedCacheSize() {
  return processState('shared-cache-size', () => ({ bytes: () => 0 }))
}
