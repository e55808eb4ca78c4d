import 'server-only'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { mailboxOf } from '@/lib/kernel/mailbox-of'

type MailboxLimits = {
  /** Allows one email, to each spelling of the address. */
  first: RateLimit
  /** Limits the emails after that, to all spellings of the mailbox together. */
  further: RateLimit
}

/**
 * Counts one more email that anyone can request for an address. The first one is always sent: someone else could
 * otherwise use up the limit with another spelling of the address, and the owner would get nothing.
 * @returns whether this email would exceed the limit of the mailbox
 */
export async function isAboveMailboxLimit({ first, further }: MailboxLimits, email: string): Promise<boolean> {
  if ((await consume(first, email)) === null) return false
  return (await consume(further, mailboxOf(email))) !== null
}
