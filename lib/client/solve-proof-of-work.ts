import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** How long the work may block the page before the page can react to the user again. */
const SLICE_MS = 24

/**
 * Solves the proof of work that the server demands while many people are buying. It finds the number whose hash,
 * together with the id in the token, is the challenge (docs/contract.md#proof-of-work).
 * @returns the solution to send with the next attempt.
 * @throws Error when no allowed number solves the challenge.
 */
export async function solveProofOfWork(token: string): Promise<string> {
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
  throw new Error('the proof of work has no solution')
}
