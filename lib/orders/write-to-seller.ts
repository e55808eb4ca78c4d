import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { consume, giveBack } from '@/lib/infra/rate-limit'
import { isMailQueued, queueMail } from '@/lib/notifications/queue-mail'
import { platformError } from '@/lib/platform/messages'
import { buyerMessage } from './mails'
import { orderError, orderTexts } from './messages'
import { SAME_WORDS_MS } from './rules'
import type { BuyerMessageInput } from './schema'

/** A conversation, not a flood: per order. */
const perOrder = { name: 'order-message', points: 5, windowSeconds: 3_600 }

/**
 * A buyer's words to the seller, by our mail: neither learns the other's address from it. The same words again within
 * minutes have the same key, and so are the same mail.
 * @throws NOT_FOUND for an order that is not paid, SELLER_GONE, TOO_MANY_REQUESTS
 */
export async function writeToSeller(ctx: Context, { token, text }: BuyerMessageInput): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token }, include: { seller: true } })
  if (!order?.paidAt) throw orderError('NOT_FOUND')
  if (order.seller.deletedAt) throw orderError('SELLER_GONE')
  const period = Math.floor(ctx.clock.now().getTime() / SAME_WORDS_MS)
  const id = `${order.id}:${keyedHash('order-message', `${period}:${text}`)}`
  const mail = buyerMessage(order, { id, text }, ctx.appUrl)
  if (await isMailQueued(ctx, mail.dedupeKey)) return
  const retryAfterSeconds = await consume(perOrder, order.id)
  if (retryAfterSeconds !== null) {
    throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, text: orderTexts.manyMessages })
  }
  const queued = await queueMail(ctx, [mail])
  // The other tap was quicker.
  if (queued === 0) await giveBack(perOrder, order.id)
}
