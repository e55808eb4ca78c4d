import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from './caught-error.mjs'
import { unavailableTexts } from './unavailable-texts.mjs'

/** How long to wait for a database that starts or restarts at the same time as this process. */
export const DATABASE_WAIT_MS = 30_000

const PAUSE_MS = 500

/** The codes of errors that occur while a database or its machine is still starting, so waiting may help. */
const NOT_THERE_YET = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08006',
]

/** @param {unknown} error */
function isNotThereYet(error) {
  if (NOT_THERE_YET.includes(codeOf(error) ?? '')) return true
  return Object.values(unavailableTexts).some((text) => text.test(messageOf(error)))
}

/**
 * Runs `work` again while it fails because the database is still starting, restarts or cannot be reached. `work` must
 * be safe to repeat.
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {object} [options]
 * @param {number} [options.waitMs] how long to try again
 * @param {(error: unknown) => boolean} [options.isTemporary] whether waiting may help against an error
 * @param {(error: unknown) => void} [options.onWaiting] is called with the first error if another attempt follows
 * @returns {Promise<Result>}
 * @throws the error of the last attempt
 */
export async function retryUntilThere(
  work,
  { waitMs = DATABASE_WAIT_MS, isTemporary = isNotThereYet, onWaiting } = {},
) {
  const deadline = Date.now() + waitMs
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error) || Date.now() > deadline) throw error
      if (tries === 0) onWaiting?.(error)
      await sleep(PAUSE_MS)
    }
  }
}
