import 'server-only'
import { boundedQueue } from '@/lib/infra/bounded-queue'

/**
 * Limits how many exports run at the same time, because each may read thousands of rows and keep all of them in memory.
 */
export const exportQueue = boundedQueue({ name: 'exports', atOnce: 2, waiting: 10, retryAfterSeconds: 10 })

/** One network may request 60 exports of all kinds per hour. */
export const EXPORT_LIMIT = { name: 'export', points: 60, windowSeconds: 3600 }
