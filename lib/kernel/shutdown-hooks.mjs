import { processState } from './process-state.mjs'

/**
 * Returns the functions that must run before this process stops. The application runs from a bundle with its own copies
 * of modules, so the server that stops the process can reach these functions only through the state of the process.
 * @returns {Set<() => Promise<void>>}
 */
export function shutdownHooks() {
  return processState('shutdown-hooks', () => new Set())
}
