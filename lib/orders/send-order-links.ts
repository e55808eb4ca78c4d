import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { newId } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderLinks } from './mails'
import type { FindOrderInput } from './schema'

/** Askers: five an hour from one network address. */
export const findOrderLimit: RateLimit = { name: 'find-order', points: 5, windowSeconds: 3_600 }
/** A mailbox is not filled by strangers. The asker is told nothing of it. */
const perMailbox: RateLimit = { name: 'find-order-mailbox', points: 3, windowSeconds: 3_600 }
const MOST_LINKS = 20

/** Mails the links of an address's orders, newest first, and nothing to an address without any. */
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
