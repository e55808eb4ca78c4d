// Runs in a thread of its own and solves proofs of work, one after the other, so that the main thread can measure calls
// meanwhile. Each reply says how long the work took.
import { parentPort } from 'node:worker_threads'
import { answerWork } from './answer-work.mjs'

parentPort?.on('message', (/** @type {{ id: number, token: string }} */ { id, token }) => {
  const from = performance.now()
  const answer = answerWork(token)
  parentPort?.postMessage({ id, answer, ms: performance.now() - from })
})
