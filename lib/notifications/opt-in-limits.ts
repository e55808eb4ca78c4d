import 'server-only'
import type { RateLimit } from '@/lib/infra/rate-limit'

/**
 * The limits of the forms with which anyone can request emails to any address: the waitlist and following a seller.
 * They are counted together, so that a second form does not let strangers send more.
 */
export const optInLimits = {
  /** Requests per network and hour. */
  network: { name: 'waitlist', points: 20, windowSeconds: 3_600 },
  /** Confirmation emails per mailbox and day. Further ones are not sent, so that strangers cannot flood an inbox. */
  mailbox: { name: 'waitlist-address', points: 5, windowSeconds: 86_400 },
} as const satisfies Record<string, RateLimit>
