import 'server-only'
import type { Order, Refund, User } from '@prisma/client'
import { firstPhoto, toMailedPhoto } from '@/lib/drops/mails'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { makeTransfersDue } from '@/lib/payouts/make-transfers-due'
import { platformError } from '@/lib/platform/messages'
import { shippedNotice } from './mails'
import { areGoodsRefunded } from '@/lib/stock/unit-rules'
import { readTrackingFile, type TrackingRow } from './read-tracking-file'
import type { TrackingImportView, TrackingRowView } from './view'

type KnownOrder = Order & { refunds: Refund[]; seller: User; drop: Parameters<typeof toMailedPhoto>[0] }

/** A row of the file with the order that it would change. */
type Planned = TrackingRowView & { order: KnownOrder | null }

/**
 * Reading a large file keeps the process busy for a tenth of a second. Without a limit, one account could slow down all
 * pages. We chose a number that is enough for ten files, each previewed, corrected, previewed again and applied.
 */
const imports: RateLimit = { name: 'tracking-import', points: 40, windowSeconds: 10 * 60 }

/**
 * Previews a file of tracking numbers or, with `isDry: false`, applies it. Valid rows mark their orders as shipped,
 * notify the buyers and make the payouts due. Invalid rows are reported and skipped. For an order that was shipped
 * before, only the carrier and the tracking number are corrected. Uploading the same file again changes nothing.
 * @throws NO_COLUMNS, TOO_MANY_ROWS, TOO_MANY_REQUESTS
 */
export async function importTracking(
  ctx: Context<UserActor>,
  { csv, isDry }: { csv: string; isDry: boolean },
): Promise<TrackingImportView> {
  const retryAfterSeconds = await consume(imports, String(ctx.actor.userId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'csv' })
  const rows = readTrackingFile(csv)
  const planned = await transaction(ctx, async (tx) => {
    const plan = await planRows(tx, ctx.actor.userId, rows)
    if (!isDry) await apply(tx, plan)
    return plan
  })
  const count = (effect: TrackingRowView['effect']) => planned.filter((row) => row.effect === effect).length
  return {
    isDry,
    ship: count('ship'),
    correct: count('correct'),
    same: count('same'),
    errors: count('error'),
    rows: planned.map(({ line, reference, title, carrier, trackingNumber, effect, problem }) => ({
      line,
      reference,
      title,
      carrier,
      trackingNumber,
      effect,
      problem,
    })),
  }
}

async function planRows(tx: Context, sellerId: number, rows: readonly TrackingRow[]): Promise<Planned[]> {
  const names = rows.map(({ order }) => order)
  const ids = names.filter((name) => name.startsWith('ord_'))
  const references = names.map((name) => name.toUpperCase())
  // Orders are locked in the order of their ids, so that concurrent imports wait for each other instead of deadlocking.
  const found = await tx.db.$queryRaw<{ id: string; name: string }[]>`
    SELECT "id", upper(right("id", 8)) AS "name" FROM "Order"
     WHERE "sellerId" = ${sellerId} AND "paidAt" IS NOT NULL
       AND ("id" = ANY(${ids}) OR upper(right("id", 8)) = ANY(${references})) ORDER BY "id" FOR UPDATE`
  const orders = await tx.db.order.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    include: { refunds: true, seller: true, drop: { select: firstPhoto } },
  })
  const byId = new Map(orders.map((order) => [order.id, order]))
  const byReference = new Map<string, string>()
  for (const { id, name } of found) byReference.set(name, byReference.has(name) ? 'many' : id)
  const seen = new Set<string>()
  return rows.map((row) => {
    const named = byReference.get(row.order.toUpperCase())
    const order = byId.get(row.order) ?? (named && named !== 'many' ? byId.get(named) : undefined) ?? null
    const carrier = row.carrier ?? order?.carrier ?? ''
    const { trackingNumber } = row
    const problem = row.problem ?? problemOf(order, !order && named === 'many', seen)
    if (order) seen.add(order.id)
    return {
      line: row.line,
      reference: row.order,
      title: order?.dropTitle ?? '',
      carrier,
      trackingNumber,
      effect: problem ? 'error' : effectOf(order!, { carrier, trackingNumber }),
      problem,
      order,
    }
  })
}

function problemOf(order: KnownOrder | null, isAmbiguous: boolean, seen: ReadonlySet<string>): string | null {
  if (isAmbiguous) return 'Two of your orders have this number. Please use the whole order ID.'
  if (!order) return "You don't have an order with this number."
  if (seen.has(order.id)) return 'This order is in the file twice. Only the first line counts.'
  if (order.productType !== 'physical') return 'This order has nothing to ship.'
  const isRefunded = order.status === 'refunded' || order.lateRefundAt || areGoodsRefunded(order, order.refunds)
  if (isRefunded) return 'This order was refunded.'
  if (order.status === 'disputed') return 'This payment is disputed.'
  // A label that was made elsewhere, for example from an exported file, may have the address from before the change.
  if (order.status === 'paid' && order.addressVersion > (order.slipVersion ?? 0)) {
    return order.slipVersion === null
      ? 'The buyer changed the address. Please check your label, then mark this order as shipped on its own page.'
      : 'The buyer changed the address after you printed the slip. Please check the slip, then mark this order as shipped on its own page.'
  }
  return null
}

function effectOf(
  order: KnownOrder,
  row: Pick<TrackingRowView, 'carrier' | 'trackingNumber'>,
): TrackingRowView['effect'] {
  if (order.status === 'paid') return 'ship'
  return (order.carrier ?? '') === row.carrier && order.trackingNumber === row.trackingNumber ? 'same' : 'correct'
}

async function apply(tx: Context, planned: readonly Planned[]): Promise<void> {
  const now = tx.clock.now()
  const changing = planned.filter(({ effect }) => effect === 'ship' || effect === 'correct')
  if (changing.length === 0) return
  const ids = changing.map(({ order }) => order!.id)
  await tx.db.$executeRaw`
    UPDATE "Order" o SET "carrier" = f."carrier", "trackingNumber" = f."trackingNumber",
           "status" = CASE WHEN o."status" = 'paid' THEN 'shipped'::"OrderStatus" ELSE o."status" END,
           "shippedAt" = coalesce(o."shippedAt", ${now})
      FROM unnest(${ids}::text[], ${changing.map(({ carrier }) => carrier)}::text[],
                  ${changing.map(({ trackingNumber }) => trackingNumber)}::text[]) AS f("id", "carrier", "trackingNumber")
     WHERE o."id" = f."id"`
  await makeTransfersDue(tx, ids)
  const mails = changing.flatMap(({ order, carrier, trackingNumber, effect }) =>
    effect === 'ship' && order?.buyerEmail
      ? [
          shippedNotice(
            { ...order, photo: toMailedPhoto(order.drop), carrier, trackingNumber },
            order.buyerEmail,
            tx.appUrl,
          ),
        ]
      : [],
  )
  await queueMail(tx, mails)
}
