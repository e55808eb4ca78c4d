import 'server-only'
import { boundedQueue } from '@/lib/infra/bounded-queue'

/** Limits how many searches run at once, because a search reads every row where no index helps. */
export const searchQueue = boundedQueue({ name: 'searches', atOnce: 3, waiting: 30, retryAfterSeconds: 3 })
