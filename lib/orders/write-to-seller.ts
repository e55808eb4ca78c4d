import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { consume, giveBack } from '@/lib/infra/rate-limit'
import { isMailQueued, queueMail } from '@/lib/notifications/queue-mail'
import { platformError } from '@/lib/platform/messages'
import { buyerMessage } from './mails'
import { orderTexts, orderError } from './messages'
import { REPEATED_MESSAGE_MS } from './rules'
import type { BuyerMessageInput } from './schema'

/** A buyer may send five messages an hour about one order, which is enough for a conversation. */
const perOrder = { name: 'order-message', points: 5, windowSeconds: 3_600 }

/**
 * Emails a buyer's message to the seller. Replies go to the buyer's address, so the seller sees that address, but the
 * buyer does not see the seller's. The same text within ten minutes (REPEATED_MESSAGE_MS) is sent once. Time is divided
 * into periods of ten minutes, and the key of the email contains its period. The key of the previous period is also
 * looked up, because the text may have been sent just before the present period began.
 * @throws NOT_FOUND for an order that is not paid, SELLER_GONE, TOO_MANY_REQUESTS
 */
export async function writeToSeller(ctx: Context, { token, text }: BuyerMessageInput): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token }, include: { seller: true } })
  if (!order?.paidAt) throw orderError('NOT_FOUND')
  if (order.seller.deletedAt) throw orderError('SELLER_GONE')
  const now = ctx.clock.now().getTime()
  const mailOf = (period: number) =>
    buyerMessage(order, { id: `${order.id}:${keyedHash('order-message', `${period}:${text}`)}`, text }, ctx.appUrl)
  const period = Math.floor(now / REPEATED_MESSAGE_MS)
  const mail = mailOf(period)
  if (await isMailQueued(ctx, mail.dedupeKey)) return
  if (await isMailQueued(ctx, mailOf(period - 1).dedupeKey, new Date(now - REPEATED_MESSAGE_MS))) return
  const retryAfterSeconds = await consume(perOrder, order.id)
  if (retryAfterSeconds !== null) {
    throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, text: orderTexts.manyMessages })
  }
  const queued = await queueMail(ctx, [mail])
  // Another call with the same text has queued the email in the meantime, so this call does not count.
  if (queued === 0) await giveBack(perOrder, order.id)
}
