import { createHash } from 'node:crypto'

/**
 * Answers a proof of work as a browser does, only faster (docs/contract.md#proof-of-work).
 * @param {string} token
 */
export function answerWork(token) {
  /** @type {{ id: string, challenge: string, work: number }} */
  const { id, challenge, work } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  for (let number = 0; number <= work; number += 1) {
    if (createHash('sha256').update(`${id}.${number}`).digest('hex') === challenge) return `${token}.${number}`
  }
  throw new Error('the work has no answer')
}
