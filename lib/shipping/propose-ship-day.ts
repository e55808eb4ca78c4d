import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { delayQuestion } from './mails'
import { lateSql } from '@/lib/orders/late-sql'
import { answerBy, isPossibleNewDay } from './rules'
import { orderError } from '@/lib/orders/messages'
import { shippingError } from './messages'
import type { ProposeShipDayInput } from './schema'

/**
 * Names the day by which the seller will ship instead of the promised one, and asks the buyer to wait for it
 * (docs/product.md#late-parcels). A seller can do this once for each promised day, before or after it has passed, and
 * again after the refund of the late order has failed. If the buyer was asked before and has not answered, the time to
 * answer stays the same.
 * @throws NOT_FOUND, NOT_SHIPPABLE, BAD_NEW_DAY, ALREADY_PROPOSED
 */
export async function proposeShipDay(ctx: Context<UserActor>, { orderId, day }: ProposeShipDayInput): Promise<void> {
  const sellerId = ctx.actor.userId
  await transaction(ctx, async (tx) => {
    const [locked] = await tx.sql<{ isToShip: boolean }>(
      'lock-order-to-ship',
      `SELECT ${lateSql.toShip} AS "isToShip" FROM "Order" o WHERE o."id" = :orderId AND o."sellerId" = :sellerId FOR UPDATE`,
      { orderId, sellerId },
    )
    if (!locked) throw orderError('NOT_FOUND')
    const include = { seller: true, delays: true }
    const { seller, delays, ...order } = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include })
    const { shipsBy } = order
    if (!locked.isToShip || shipsBy === null) throw shippingError('NOT_SHIPPABLE')
    const now = tx.clock.now()
    const newDay = new Date(day)
    const asked = delays.find(({ missedDay }) => missedDay.getTime() === shipsBy.getTime())
    if (asked?.isProposed && asked.answer === null) {
      // Naming the same day again, for example by pressing the button twice, changes nothing.
      if (asked.newDay.getTime() === newDay.getTime()) return
      throw shippingError('ALREADY_PROPOSED')
    }
    if (!isPossibleNewDay(newDay, shipsBy, now)) throw shippingError('BAD_NEW_DAY')
    // A question that was answered is open again only after the refund of the late order has failed.
    const open = asked?.answer ? { answer: null, answeredAt: null, answerBy: answerBy(shipsBy, now) } : {}
    const delay = await (asked
      ? tx.db.shippingDelay.update({ where: { id: asked.id }, data: { newDay, isProposed: true, ...open } })
      : tx.db.shippingDelay.create({
          data: { orderId, missedDay: shipsBy, newDay, isProposed: true, answerBy: answerBy(shipsBy, now) },
        }))
    if (order.buyerEmail) await queueMail(tx, [delayQuestion(order, seller, { ...delay, askedAt: now }, tx.appUrl)])
  })
}
