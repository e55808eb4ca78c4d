import { createHash } from 'node:crypto'

/**
 * Solves a proof of work as a browser does (docs/contract.md#proof-of-work).
 * @param {string} token the `work` of a refusal
 * @returns {string} the `work` that the next call has to send
 */
export function answerWork(token) {
  /** @type {{ id: string, challenge: string, work: number }} */
  const { id, challenge, work } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  for (let number = 0; number <= work; number += 1) {
    if (createHash('sha256').update(`${id}.${number}`).digest('hex') === challenge) return `${token}.${number}`
  }
  throw new Error('no number solves the proof of work')
}
