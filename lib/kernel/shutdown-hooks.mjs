import { processState } from './process-state.mjs'

/**
 * What has to be ended before this process may stop. The application runs from a bundle with modules of its own, so the
 * server that stops it reaches the hooks only through the state of the process.
 * @returns {Set<() => Promise<void>>}
 */
export function shutdownHooks() {
  return processState('shutdown-hooks', () => new Set())
}
