import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'

/** Too much of one kind of work waits already. A later attempt may succeed. */
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
  /** Starts the work that has waited longest. */
  waiting: (() => void)[]
}

type QueueOptions = { name: string; atOnce: number; waiting: number; retryAfterSeconds: number }

const queues = processState('queues', () => new Map<string, Queue>())

/** How much work of each kind runs and waits in this process, for /api/metrics. */
export function queueLengths(): { name: string; running: number; waiting: number }[] {
  return [...queues].map(([name, { running, waiting }]) => ({ name, running, waiting: waiting.length }))
}

/**
 * Limits work that costs much memory or processor time: `atOnce` run in this process, `waiting` wait in order, and any
 * more are refused.
 * @throws QueueFull
 */
export function boundedQueue({ name, atOnce, waiting, retryAfterSeconds }: QueueOptions) {
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const queue = queues.get(name) ?? { running: 0, waiting: [] }
    queues.set(name, queue)
    if (queue.running < atOnce) {
      queue.running += 1
    } else {
      if (queue.waiting.length >= waiting) throw new QueueFull(name, retryAfterSeconds)
      // Whoever ends hands its place over, so `running` stays as it is.
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
