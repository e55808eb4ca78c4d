import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { closeCheckout } from './close-checkout'
import { YIELDED } from './queries'

const BATCH = 200
const AT_ONCE = 5

/** The checkouts to close: those of one drop, those of one seller, or all of them. */
type Scope = { dropId?: number; sellerId?: number }

type OpenCheckout = { holdId: string; stripeId: string | null }

function listOpenCheckouts({ sql }: Database, { dropId, sellerId }: Scope, after: string): Promise<OpenCheckout[]> {
  return sql<OpenCheckout>(
    'open-checkouts-in',
    `SELECT h."id" AS "holdId", COALESCE(o."stripeSessionId", o."stripePaymentIntentId") AS "stripeId" FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
      WHERE (h."state" = 'held' OR ${YIELDED}) AND (:dropId::int IS NULL OR h."dropId" = :dropId) AND (:sellerId::int IS NULL OR o."sellerId" = :sellerId)
        AND h."id" > :after ORDER BY h."id" LIMIT :limit`,
    { dropId: dropId ?? null, sellerId: sellerId ?? null, after, limit: BATCH },
  )
}

/**
 * Expires unpaid checkouts and releases their units because the drop can no longer be sold: the platform is paused, the
 * drop was taken down, or the seller's account is closed. A checkout that was paid in the meantime is honored
 * (docs/product.md#kill-switch). A checkout that could not be closed is logged, and a sweep closes it once it has
 * expired.
 * @returns how many checkouts still held units, which are released now
 */
export async function closeOpenCheckouts(ctx: Context, scope: Scope = {}): Promise<number> {
  if (ctx.payments === 'off') return 0
  let released = 0
  let after = ''
  for (;;) {
    const batch = await listOpenCheckouts(ctx, scope, after)
    released += await closeAll(ctx, batch)
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) return released
    after = last.holdId
  }
}

async function closeAll(ctx: Context, checkouts: readonly OpenCheckout[]): Promise<number> {
  const open = [...checkouts]
  let released = 0
  const work = async () => {
    for (let checkout = open.pop(); checkout; checkout = open.pop()) {
      try {
        if ((await closeCheckout(ctx, checkout, 'closed')) === 'released') released += 1
      } catch (error) {
        ctx.log.error({ holdId: checkout.holdId, cause: String(error) }, 'checkout not closed')
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return released
}
