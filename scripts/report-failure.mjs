import { Refusal } from '../lib/operations/refusal.mjs'

/**
 * Prints why a command failed and makes it end with 1. A `Refusal` is printed without its stack.
 * @param {unknown} error
 */
export function reportFailure(error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
}
