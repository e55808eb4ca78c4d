import 'server-only'
import { collector } from '@/lib/infra/collector'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import type { Database } from '@/lib/infra/db'
import { countTaps, type Tap } from '@/lib/drops/analytics/count-taps'
import { visitorKey } from '@/lib/drops/analytics/count-view'

const taps = collector<Tap & { buyerKey: string }>('taps', writeTaps)

/** Returns the key that identifies a buyer's browser on its holds. */
export function buyerKeyOf(buyerToken: string): string {
  return keyedHash('buyer', buyerToken).slice(0, 40)
}

/**
 * Counts a press on the buy button, whatever its result. Each visitor counts once per drop and day, if visitorKey()
 * counts the visitor and the seller has analytics turned on. A network adds as many taps a day as views. The visitor's
 * source is written to the resulting hold afterwards, so that holding stock does not wait for it.
 */
export function countTap(ctx: Context, input: { dropId: number; buyerToken: string; userAgent: string }): void {
  const { dropId, buyerToken, userAgent } = input
  const visitor = visitorKey(ctx, { userAgent })
  if (!visitor) return
  const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : 0
  taps.add(`${dropId}:${visitor}`, { dropId, visitor, userId, buyerKey: buyerKeyOf(buyerToken) })
}

async function writeTaps(database: Database, batch: (Tap & { buyerKey: string })[]): Promise<void> {
  await countTaps(database, batch)
  const dropIds = batch.map((tap) => tap.dropId)
  const visitors = batch.map((tap) => tap.visitor)
  await database.sql(
    'hold-sources',
    `UPDATE "Hold" h SET "source" = v."source"
       FROM unnest(:dropIds::int[], :visitors::text[], :buyerKeys::text[]) AS t("dropId", "visitor", "buyerKey")
       JOIN "DropView" v ON v."dropId" = t."dropId" AND v."visitor" = t."visitor"
        AND v."day" = (now() AT TIME ZONE 'UTC')::date AND v."source" <> 'direct'
      WHERE h."dropId" = t."dropId" AND h."buyerKey" = t."buyerKey" AND h."source" = 'direct'
        AND h."createdAt" > now() - interval '1 minute'`,
    { dropIds, visitors, buyerKeys: batch.map((tap) => tap.buyerKey) },
  )
}
