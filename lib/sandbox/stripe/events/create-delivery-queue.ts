import 'server-only'
import type pg from 'pg'
import type { DeliveryDisorder } from '../objects'
import { ENDPOINT_IDS, type StoredEndpoints } from './webhook-endpoints'

export type DeliveryQueueOptions = {
  pool: pg.Pool
  now: () => Date
  disorder: () => Promise<DeliveryDisorder | null>
}

export type Delivery = {
  id: number
  eventId: string
  payload: string
  attempts: number
  createdAt: Date
  endpoints: StoredEndpoints | null
}

/**
 * A delivery that needs no further attempt, with the HTTP status of the response, which is null if nothing was sent.
 */
type Finished = { id: number; eventId: string; status: number | null }

/** The stored queue of webhooks. Several processes may use it at the same time. */
export type DeliveryQueue = {
  /** Records the finished deliveries, and claims at most this number of due deliveries. */
  claim: (limit: number) => Promise<Delivery[]>
  /** Notes a finished delivery, which the next claim records. */
  finish: (delivery: Finished) => void
  /** Whether a delivery is finished and not yet recorded. */
  hasFinished: () => boolean
  /** Records when a failed delivery is tried again. With a `waitMs` of null it is never tried again. */
  postpone: (delivery: Delivery, status: number | null, waitMs: number | null) => Promise<void>
}

/**
 * After this time, another process takes over a delivery whose process died. The time must be longer than two timeouts,
 * because `disorder` may have each delivery sent twice. With a shorter time, two processes would send the same
 * delivery.
 */
const LEASE_MS = 30_000
/**
 * Records the deliveries that are finished, and claims due deliveries by moving their due time forward by one lease, so
 * that no lock is held while they are sent. Each claim counts as an attempt. Both are one statement, because a stand-in
 * that spends its time in Postgres slows down the purchases that are measured with it.
 */
async function claim(
  { pool, now, disorder }: DeliveryQueueOptions,
  finished: readonly Finished[],
  limit: number,
): Promise<Delivery[]> {
  const at = now()
  const { isShuffled = false, delayMs = 0 } = (await disorder()) ?? {}
  const { rows } = await pool.query<Delivery>({
    name: isShuffled ? 'sandbox-claim-shuffled' : 'sandbox-claim',
    text: `WITH finished AS (
       SELECT * FROM unnest($6::int[], $7::text[], $8::int[]) AS f("id", "eventId", "status")
     ), delivered AS (
       UPDATE "SandboxDelivery" d SET "deliveredAt" = $1, "lastStatus" = f."status" FROM finished f WHERE d."id" = f."id"
     ), acknowledged AS (
       UPDATE "SandboxObject" o SET "json" = jsonb_set(o."json", '{pending_webhooks}', '0') FROM finished f WHERE o."id" = f."eventId"
     )
     UPDATE "SandboxDelivery" SET "attempts" = "attempts" + 1, "nextAttemptAt" = $2
     WHERE "id" = ANY(ARRAY(
       SELECT "id" FROM "SandboxDelivery"
        WHERE "deliveredAt" IS NULL AND "nextAttemptAt" <= $1 AND "createdAt" <= $3 AND "id" <> ALL($6::int[])
       ORDER BY ${isShuffled ? 'random()' : '"nextAttemptAt", "id"'} LIMIT $4 FOR UPDATE SKIP LOCKED
     ))
     RETURNING "id", "eventId", "payload", "attempts", "createdAt",
       (SELECT jsonb_object_agg(e."id", e."json") FROM "SandboxObject" e WHERE e."id" = ANY($5)) AS "endpoints"`,
    values: [
      at,
      new Date(at.getTime() + LEASE_MS),
      new Date(at.getTime() - delayMs),
      limit,
      ENDPOINT_IDS,
      finished.map(({ id }) => id),
      finished.map(({ eventId }) => eventId),
      finished.map(({ status }) => status),
    ],
  })
  return rows
}

/**
 * Creates the queue. A finished delivery is recorded with the next claim. If the process dies before, the delivery is
 * sent again, as Stripe may do as well.
 */
export function createDeliveryQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const { pool, now } = options
  let finished: Finished[] = []
  return {
    claim: async (limit) => {
      const recording = finished
      finished = []
      try {
        return await claim(options, recording, limit)
      } catch (error) {
        finished.push(...recording)
        throw error
      }
    },
    finish: (delivery) => void finished.push(delivery),
    hasFinished: () => finished.length > 0,
    postpone: async (delivery, status, waitMs) => {
      await pool.query(`UPDATE "SandboxDelivery" SET "nextAttemptAt" = $2, "lastStatus" = $3 WHERE "id" = $1`, [
        delivery.id,
        waitMs === null ? 'infinity' : new Date(now().getTime() + waitMs),
        status,
      ])
    },
  }
}
