import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { RateLimit } from '@/lib/infra/rate-limit'
import { newId } from '@/lib/kernel/id'
import { isAboveMailboxLimit } from '@/lib/notifications/is-above-mailbox-limit'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderLinks } from './mails'
import type { FindOrderInput } from './schema'

/** The limit per network: five requests an hour. */
export const findOrderLimit: RateLimit = { name: 'find-order', points: 5, windowSeconds: 3_600 }
/** The limits per mailbox. The requester gets the same response when they are reached. */
const MAILBOX_LIMITS = {
  first: { name: 'find-order-address', points: 1, windowSeconds: 3_600 },
  further: { name: 'find-order-mailbox', points: 2, windowSeconds: 3_600 },
}
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
  if (orders.length === 0 || (await isAboveMailboxLimit(MAILBOX_LIMITS, email))) return
  await queueMail(ctx, [orderLinks(orders, email, newId('find'), ctx.appUrl)])
}
