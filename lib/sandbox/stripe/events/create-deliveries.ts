import 'server-only'
import Stripe from 'stripe'
import { messageOf } from '@/lib/kernel/caught-error.mjs'
import type { SandboxLog } from '../call'
import { createDeliveryQueue, type Delivery, type DeliveryQueueOptions } from './create-delivery-queue'
import { disturbance } from './disturbance'
import { wantsEvent } from './webhook-endpoints'

type DeliveryOptions = DeliveryQueueOptions & {
  webhookUrl: string
  webhookSecret: string
  /** The secret of the endpoint for connected accounts. */
  connectWebhookSecret: string
  log: SandboxLog
  /** The seed that chooses which events are sent twice (disturbance.ts). */
  seed: () => Promise<number | null>
}

export type Deliveries = {
  /** Sends every due delivery and waits for those already being sent. Returns how many arrived. */
  drain: () => Promise<number>
  /** Starts sending soon, without making the caller wait. */
  kick: () => void
}

const BACKOFF_SECONDS = [1, 2, 5, 10, 20, 30]
const LAST_BACKOFF_SECONDS = 60
const GIVE_UP_MS = 3 * 24 * 60 * 60 * 1000
const TIMEOUT_MS = 10_000
/**
 * How many deliveries are sent at the same time. Stripe sends many more, but they would use up the application's
 * connections. With 32, a crowd's payments waited here for half a second before they were sent, because the application
 * calls Stripe before it answers the webhook of a sale.
 */
const AT_ONCE = 64

/**
 * Signs an event and sends it to the application.
 * @returns the HTTP status of the response; null when there was none.
 */
async function send(options: DeliveryOptions, { account }: Stripe.EventBase, payload: string): Promise<number | null> {
  const secret = account === undefined ? options.webhookSecret : options.connectWebhookSecret
  try {
    const response = await fetch(options.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+lastcall sandbox)',
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
      },
      body: payload,
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // An unread body would keep the connection busy, and stopping the server would wait for it.
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

/** @returns the wait until the next attempt, in milliseconds; null when there will be none. */
function backoffMs(delivery: Delivery, now: Date): number | null {
  if (now.getTime() - delivery.createdAt.getTime() > GIVE_UP_MS) return null
  return (BACKOFF_SECONDS[delivery.attempts - 1] ?? LAST_BACKOFF_SECONDS) * 1000
}

/** Creates a promise, and the function that resolves it. */
function createSignal() {
  let fire: () => void = () => undefined
  const promise = new Promise<void>((resolve) => (fire = resolve))
  return { promise, fire }
}

/**
 * Sends a claimed delivery, and finishes it or postpones its next attempt.
 * @param kickAfter called with the wait until the next attempt, in milliseconds, if there will be one
 * @returns whether the delivery arrived
 */
async function deliver(
  options: DeliveryOptions,
  queue: ReturnType<typeof createDeliveryQueue>,
  delivery: Delivery,
  kickAfter: (waitMs: number) => void,
): Promise<boolean> {
  const { id, eventId, attempts, payload } = delivery
  const event = JSON.parse(payload) as Stripe.EventBase
  if (!wantsEvent(delivery.endpoints ?? {}, event)) {
    queue.finish({ id, eventId, status: null })
    return false
  }
  const isTwice = (await options.disorder())?.isTwice || disturbance(await options.seed(), eventId).isTwice
  if (isTwice) await send(options, event, payload)
  const status = await send(options, event, payload)
  if (status !== null && status >= 200 && status < 300) {
    queue.finish({ id, eventId, status })
    return true
  }
  const waitMs = backoffMs(delivery, options.now())
  options.log.warn({ eventId, status, attempts, waitMs }, 'sandbox webhook was not delivered')
  await queue.postpone(delivery, status, waitMs)
  if (waitMs !== null) kickAfter(waitMs)
  return false
}

/** Creates the queue that delivers signed webhooks to the application. Several processes may run one each. */
export function createDeliveries(options: DeliveryOptions): Deliveries {
  const { log } = options
  const queue = createDeliveryQueue(options)
  let current: Promise<number> | null = null
  /** How many times kick() was called. If this changes during a query, the query may have missed a new delivery. */
  let kicks = 0
  /** The promise of this signal resolves with the next kick(). */
  let kicked = createSignal()

  const kickAfter = (waitMs: number) => void setTimeout(kick, waitMs).unref()

  const logFailure = (error: unknown) =>
    log.warn({ err: messageOf(error) }, 'sandbox webhooks could not be sent and will be tried again')

  /**
   * Sends all due deliveries, up to AT_ONCE at the same time, including those that become due meanwhile. kick() wakes
   * this function while it waits for running deliveries. The counter `kicks` covers a kick() during a query.
   */
  async function sendDue(): Promise<number> {
    const sending = new Set<Promise<void>>()
    let delivered = 0
    try {
      for (;;) {
        const [seen, next] = [kicks, kicked.promise]
        const free = AT_ONCE - sending.size
        const batch = free > 0 || queue.hasFinished() ? await queue.claim(free) : []
        for (const delivery of batch) {
          const one = deliver(options, queue, delivery, kickAfter)
            .then((hasArrived) => void (delivered += hasArrived ? 1 : 0), logFailure)
            .finally(() => sending.delete(one))
          sending.add(one)
        }
        if (batch.length > 0 || queue.hasFinished() || seen !== kicks) continue
        if (sending.size === 0) return delivered
        await Promise.race(free > 0 ? [...sending, next] : sending)
      }
    } finally {
      await Promise.all(sending)
    }
  }

  function kick(): void {
    kicks += 1
    kicked.fire()
    kicked = createSignal()
    if (current) return
    let seen = kicks
    const run = async (): Promise<number> => {
      // Sending starts only after the caller has continued.
      await new Promise<void>((resolve) => setImmediate(resolve))
      seen = kicks
      return sendDue()
    }
    current = run()
      .catch((error: unknown) => {
        logFailure(error)
        return 0
      })
      .finally(() => {
        current = null
        // A delivery may have been added after the last query and before this line.
        if (seen !== kicks) kick()
      })
  }

  return {
    kick,
    drain: async () => {
      const underWay = current
      const own = await sendDue()
      const before = (await underWay) ?? 0
      // A retry may have started meanwhile, and then it has claimed what was due.
      const after = current !== underWay ? ((await current) ?? 0) : 0
      return own + before + after
    },
  }
}
