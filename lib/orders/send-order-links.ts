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
 * The limit per mailbox, however its address is spelled, so that strangers cannot flood it. The requester gets the same
 * response when the limit is reached.
 */
const perMailbox: RateLimit = { name: 'find-order-mailbox', points: 3, windowSeconds: 3_600 }
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
  if (orders.length === 0 || (await consume(perMailbox, mailboxOf(email))) !== null) return
  await queueMail(ctx, [orderLinks(orders, email, newId('find'), ctx.appUrl)])
}
