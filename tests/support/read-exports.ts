import type { Database } from '@/lib/infra/db'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { walkSellerOrders } from '@/lib/orders/seller-queries'
import type { SellerOrderView } from '@/lib/orders/seller-view'
import { streamOrdersCsv } from '@/lib/orders/stream-orders-csv'

const everyOrder = () => sellerOrderFilterSchema.parse({})

/** Returns the rows of all batches. */
export async function readBatches<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

/** Returns every paid order of a seller, the newest first. */
export function readSellerOrders(database: Database, sellerId: number): Promise<SellerOrderView[]> {
  return readBatches(walkSellerOrders(database, sellerId, everyOrder()))
}

/** Returns the CSV with every paid order of a seller. */
export function readOrdersCsv(database: Database, sellerId: number): Promise<string> {
  return new Response(streamOrdersCsv(database, sellerId, everyOrder())).text()
}
