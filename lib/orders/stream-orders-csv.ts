import 'server-only'
import { editionText } from '@/lib/drops/editions/edition-messages'
import type { Database } from '@/lib/infra/db'
import { streamCsv } from '@/lib/kernel/stream-csv'
import { toDecimal } from '@/lib/kernel/money'
import type { SellerOrderFilter } from './filter-schema'
import { listKeysOf, walkSellerOrders } from './seller-queries'
import type { SellerOrderView } from './seller-view'

const HEADER = [
  'order', 'paid_at', 'status', 'product', 'quantity', 'amount', 'platform_fee', 'card_fee', 'payout', 'net', 'refunded',
  'buyer', 'email', 'ship_to', 'address', 'phone', 'carrier', 'tracking_number', 'shipped_at', 'delivered_at',
  'discount_code', 'discount', 'edition', 'keys', 'ships_by', 'country', 'shipping', 'early', 'option', 'run',
] as const // prettier-ignore

const money = (cents: number | null) => (cents === null ? null : toDecimal(cents))

/** Returns the cells of an order. Amounts are in USD with two decimals. */
function cellsOf(order: SellerOrderView, keys: ReadonlyMap<string, string>) {
  return [
    order.id,
    order.paidAt,
    order.status,
    order.title,
    order.quantity,
    money(order.amountCents),
    money(order.platformFeeCents),
    money(order.cardFeeCents),
    money(order.sellerPayoutCents),
    money(order.netCents),
    money(order.refundedCents),
    order.buyerName,
    order.buyerEmail,
    order.address?.name ?? null,
    order.address ? [...order.address.lines, order.address.countryCode].filter(Boolean).join(', ') : null,
    order.address?.phone ?? null,
    order.carrier,
    order.trackingNumber,
    order.shippedAt,
    order.deliveredAt,
    order.discount?.code ?? null,
    money(order.discount?.cents ?? null),
    order.edition ? editionText(order.edition) : null,
    keys.get(order.id) ?? null,
    order.shipsBy,
    order.address?.countryCode ?? order.shipping?.country ?? null,
    money(order.shipping?.cents ?? null),
    order.isEarly ? 'yes' : null,
    order.option?.value ?? null,
    order.run,
  ]
}

/** Streams the orders that match a filter as CSV. */
export function streamOrdersCsv(
  database: Database,
  sellerId: number,
  filter: SellerOrderFilter,
): ReadableStream<Uint8Array> {
  return streamCsv(HEADER, readRows(database, sellerId, filter))
}

async function* readRows(database: Database, sellerId: number, filter: SellerOrderFilter) {
  for await (const orders of walkSellerOrders(database, sellerId, { ...filter, before: undefined })) {
    const keys = await listKeysOf(
      database,
      orders.map(({ id }) => id),
    )
    yield orders.map((order) => cellsOf(order, keys))
  }
}
