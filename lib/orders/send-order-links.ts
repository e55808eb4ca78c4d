import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { newId } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderLinks } from './mails'
import type { FindOrderInput } from './schema'

/** Requests per network address: five an hour. */
export const findOrderLimit: RateLimit = { name: 'find-order', points: 5, windowSeconds: 3_600 }
/**
 * The limit per email address, so that strangers cannot flood a mailbox. The requester gets the same answer when it is
 * reached.
 */
const perMailbox: RateLimit = { name: 'find-order-mailbox', points: 3, windowSeconds: 3_600 }
const MOST_LINKS = 20

/** Emails the links of an address's orders, newest first. An address without orders gets no email. */
export async function sendOrderLinks(ctx: Context, { email }: FindOrderInput): Promise<void> {
  const orders = await ctx.db.order.findMany({
    where: { buyerEmail: email, paidAt: { not: null } },
    orderBy: { paidAt: 'desc' },
    take: MOST_LINKS,
    select: { token: true, dropTitle: true },
  })
  if (orders.length === 0 || (await consume(perMailbox, email)) !== null) return
  await queueMail(ctx, [orderLinks(orders, email, newId('find'), ctx.appUrl)])
}
