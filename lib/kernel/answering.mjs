import { AsyncLocalStorage } from 'node:async_hooks'
import { processState } from './process-state.mjs'

/**
 * Returns the store with the state of the response to the current request. The server creates the state, and
 * `onRequestError` changes it, because Next does not pass the response itself to `onRequestError`.
 * @returns {AsyncLocalStorage<{ isUnavailable: boolean }>}
 */
export function answering() {
  return processState('answering', () => new AsyncLocalStorage())
}
