import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { newId } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderLinks } from './mails'
import type { FindOrderInput } from './schema'

/** The limit per network: five requests an hour. */
export const findOrderLimit: RateLimit = { name: 'find-order', points: 5, windowSeconds: 3_600 }
/**
 * The limits per address and per mailbox, however its address is spelled, so that strangers cannot flood it. The
 * requester gets the same response when a limit is reached. The first email of an hour to an address is always sent:
 * anyone can place an order with another spelling of a buyer's address, and could otherwise use up the mailbox's limit
 * with it, so that the buyer would not get the links.
 */
const firstOfAddress: RateLimit = { name: 'find-order-address', points: 1, windowSeconds: 3_600 }
const furtherOfMailbox: RateLimit = { name: 'find-order-mailbox', points: 2, windowSeconds: 3_600 }
const MAX_LINKS = 20

/**
 * Emails the links of the newest paid orders of an address, at most 20. An address without paid orders gets no email.
 */
export async function sendOrderLinks(ctx: Context, { email }: FindOrderInput): Promise<void> {
  const orders = await ctx.db.order.findMany({
    where: { buyerEmail: email, paidAt: { not: null } },
    orderBy: { paidAt: 'desc' },
    take: MAX_LINKS,
    select: { token: true, dropTitle: true },
  })
  if (orders.length === 0 || (await isAboveLimit(email))) return
  await queueMail(ctx, [orderLinks(orders, email, newId('find'), ctx.appUrl)])
}

async function isAboveLimit(email: string): Promise<boolean> {
  if ((await consume(firstOfAddress, email)) === null) return false
  return (await consume(furtherOfMailbox, mailboxOf(email))) !== null
}
