import { codeOf, messageOf } from '../lib/kernel/caught-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'

const DISK_FULL = /\bENOSPC\b|\bEDQUOT\b|No space left on device|53100/

/**
 * Prints why a command failed and sets the exit code to 1. A `Refusal` is printed without its stack.
 * @param {unknown} error
 */
export function reportFailure(error) {
  const isDiskFull = DISK_FULL.test(`${codeOf(error)} ${messageOf(error)}`)
  if (isDiskFull) console.error(`The disk is full: free some space and start again. (${lastLine(messageOf(error))})`)
  else console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
}

/** @param {string} text */
const lastLine = (text) => text.trim().split('\n').at(-1)
