import 'server-only'
import { boundedQueue } from '@/lib/infra/bounded-queue'

/** Limits how many searches run at the same time, because a search that no index can serve reads every row. */
export const searchQueue = boundedQueue({ name: 'searches', atOnce: 3, waiting: 30, retryAfterSeconds: 3 })
