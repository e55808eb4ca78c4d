import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@/lib/kernel/app-error'

/** Computes the answer to a proof of work as a browser does, but faster. Throws if no number is the answer. */
export function answerWork(token: string): string {
  const { id, challenge, work } = readWork(token)
  for (let number = 0; number <= work; number += 1) {
    if (createHash('sha256').update(`${id}.${number}`).digest('hex') === challenge) return `${token}.${number}`
  }
  throw new Error('the work has no answer')
}

/** Computes the same answer as answerWork(), but in small steps, so that this process can do other work meanwhile. */
export async function answerWorkInSteps(token: string): Promise<string> {
  const { id, challenge, work } = readWork(token)
  for (let number = 0; number <= work; number += 1) {
    if (createHash('sha256').update(`${id}.${number}`).digest('hex') === challenge) return `${token}.${number}`
    if (number % 1_000 === 0) await nextTurn()
  }
  throw new Error('the work has no answer')
}

/** Reads the challenge and the amount of work from a token. */
export function readWork(token: string) {
  type Token = { id: string; challenge: string; work: number; from?: number }
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Token
}

/**
 * Returns the token of the work that a refused call requires. Throws if the call succeeds or fails for another reason.
 */
export async function workAskedBy(call: Promise<unknown>): Promise<string> {
  const outcome = await call.then(
    () => 'no work was required',
    (error: unknown) => error,
  )
  if (outcome instanceof AppError && outcome.work) return outcome.work
  throw outcome
}
