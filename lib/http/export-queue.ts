import 'server-only'
import { boundedQueue } from '@/lib/infra/bounded-queue'

/**
 * Limits how many exports are prepared at the same time, because some keep thousands of rows in memory. An export that
 * is streamed in parts leaves the queue when its first part can be read. It must not keep its place until the end,
 * because two slow readers would then block everyone's exports.
 */
export const exportQueue = boundedQueue({ name: 'exports', atOnce: 2, waiting: 10, retryAfterSeconds: 10 })

/** One network may request 60 exports of all kinds per hour. */
export const EXPORT_LIMIT = { name: 'export', points: 60, windowSeconds: 3600 }
