import 'server-only'
import { boundedQueue } from '@/lib/infra/bounded-queue'

/** An export reads thousands of rows and may hold all of them in memory. */
export const exportQueue = boundedQueue({ name: 'exports', atOnce: 2, waiting: 10, retryAfterSeconds: 10 })

/** How many exports one address may ask for. */
export const EXPORT_LIMIT = { name: 'export', points: 60, windowSeconds: 3600 }
