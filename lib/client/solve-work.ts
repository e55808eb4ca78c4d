import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** How long the work may block the page before the page reacts to the user again. */
const SLICE_MS = 24

/**
 * Does the work that the server asks for while many people are buying: finds the number whose hash is the challenge
 * (docs/contract.md#proof-of-work).
 * @returns the answer to send with the next try.
 */
export async function solveWork(token: string): Promise<string> {
  const payload = token.split('.')[0]!.replaceAll('-', '+').replaceAll('_', '/')
  const { id, challenge, work } = JSON.parse(atob(payload)) as { id: string; challenge: string; work: number }
  let sliceStartedAt = performance.now()
  for (let number = 0; number <= work; number += 1) {
    if (bytesToHex(sha256(utf8ToBytes(`${id}.${number}`))) === challenge) return `${token}.${number}`
    if (number % 64 === 0 && performance.now() - sliceStartedAt > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve))
      sliceStartedAt = performance.now()
    }
  }
  throw new Error('the work has no answer')
}
