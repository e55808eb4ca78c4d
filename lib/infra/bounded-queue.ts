import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'

/** Thrown when too much work of one kind is already waiting. A later attempt may succeed. */
export class QueueFull extends Error {
  constructor(
    queue: string,
    readonly retryAfterSeconds: number,
  ) {
    super(`the queue ${queue} is full`)
  }
}

type Queue = {
  running: number
  /** Functions that start the waiting work, with the longest wait first. */
  waiting: (() => void)[]
}

type QueueOptions = { name: string; atOnce: number; waiting: number; retryAfterSeconds: number }

const queues = processState('queues', () => new Map<string, Queue>())

/** Returns how much work of each kind runs and waits in this process, for /api/metrics. */
export function queueLengths(): { name: string; running: number; waiting: number }[] {
  return [...queues].map(([name, { running, waiting }]) => ({ name, running, waiting: waiting.length }))
}

/**
 * Returns a function that limits work that costs much memory or processor time. In this process, at most `atOnce` calls
 * run at the same time, and at most `waiting` more calls wait in the order of their arrival.
 * @throws QueueFull from the returned function when both limits are reached
 */
export function boundedQueue({ name, atOnce, waiting, retryAfterSeconds }: QueueOptions) {
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const queue = queues.get(name) ?? { running: 0, waiting: [] }
    queues.set(name, queue)
    if (queue.running < atOnce) {
      queue.running += 1
    } else {
      if (queue.waiting.length >= waiting) throw new QueueFull(name, retryAfterSeconds)
      // Work that ends passes its place on to the next, so `running` stays as it is.
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
    }
  }
}
