import 'server-only'
import { boundedQueue } from '@/lib/infra/bounded-queue'

/** Limits how many exports run at once, because each reads thousands of rows and may hold all of them in memory. */
export const exportQueue = boundedQueue({ name: 'exports', atOnce: 2, waiting: 10, retryAfterSeconds: 10 })

/** How many exports of all kinds one network may ask for: 60 an hour. */
export const EXPORT_LIMIT = { name: 'export', points: 60, windowSeconds: 3600 }
