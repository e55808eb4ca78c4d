import { AsyncLocalStorage } from 'node:async_hooks'
import { processState } from './process-state.mjs'

/**
 * The answer that is being made, wherever the code that makes it runs: Next calls `onRequestError` with an error and an
 * address, and gives no access to the answer.
 * @returns {AsyncLocalStorage<{ isUnavailable: boolean }>}
 */
export function answering() {
  return processState('answering', () => new AsyncLocalStorage())
}
