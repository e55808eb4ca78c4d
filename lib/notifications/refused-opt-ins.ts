import 'server-only'
import { countUse, type RateLimit, usesOf } from '@/lib/infra/rate-limit'

/** A list that a mailbox can be on: the waitlist of a drop, or the followers of a seller. */
type List = { name: 'waitlist-drop' | 'follow-seller'; id: number }

const refusals: RateLimit = { name: 'opt-in-refused', points: 1, windowSeconds: 30 * 86_400 }

const keyOf = ({ name, id }: List, mailbox: string) => `${name} ${id} ${mailbox}`

/**
 * The people who unsubscribed from the email that asked whether they want to be on a list. For 30 days, their mailbox
 * gets no other email that asks about this list.
 */
export const refusedOptIns = {
  async add(list: List, mailbox: string): Promise<void> {
    await countUse(refusals, keyOf(list, mailbox))
  },
  async has(list: List, mailbox: string): Promise<boolean> {
    return (await usesOf(refusals, keyOf(list, mailbox))) > 0
  },
}
