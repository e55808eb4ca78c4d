import 'server-only'
import type { Context } from '@/lib/infra/context'
import { idsOf, noteTransfer } from './adopt-transfers'
import { findTransfers } from './find-transfers'
import { recordLateTransfer } from './record-sent'

const BATCH = 20

/**
 * Reserves the searches that are due for requests whose result is unknown. They come at growing intervals of at most
 * five days, and end with the first one that succeeds more than 30 days after the last such request. A payout that is
 * about to be sent waits, because each attempt searches by itself.
 */
export function leaseLateSearches({ sql }: Pick<Context, 'sql'>): Promise<{ id: string; orderId: string }[]> {
  return sql(
    'lease-late-searches',
    `UPDATE "Transfer"
        SET "searchDueAt" = now() + LEAST(interval '5 days', GREATEST(interval '1 minute', 3 * (now() - "unknownSince")))
      WHERE "id" IN (
        SELECT "id" FROM "Transfer" WHERE "searchDueAt" <= now() AND ("sentAt" IS NOT NULL OR "sentCents" IS NULL)
         ORDER BY "searchDueAt" LIMIT :limit FOR UPDATE SKIP LOCKED)
      RETURNING "id", "orderId"`,
    { limit: BATCH },
  )
}

/**
 * Records what Stripe has carried out of the requests for a payout without our knowledge: transfers, of which the first
 * one counts as the payout if it was given up, and reversals. The caller then has to settle the payout.
 * @throws Stripe's error
 */
export async function adoptLateTransfers(ctx: Context, id: string): Promise<void> {
  const payout = await ctx.db.transfer.findUniqueOrThrow({ where: { id } })
  if (payout.paidByHandAt) return endSearches(ctx, id)
  const found = await findTransfers(ctx, payout.orderId)
  const known = new Set(idsOf(payout))
  const unknown = found.filter((transfer) => !known.has(transfer.id))
  if (unknown.length > 0)
    ctx.log.warn({ orderId: payout.orderId, ids: unknown.map((t) => t.id) }, 'late transfers found')
  const first = payout.sentAt ? undefined : unknown.shift()
  if (first && !(await recordLateTransfer(ctx, id, first))) return
  for (const transfer of unknown) await noteTransfer(ctx, id, transfer)
  await ctx.sql(
    'late-reversals',
    `UPDATE "Transfer" SET "reversedAtStripeCents" = GREATEST("reversedAtStripeCents", :reversedCents)
      WHERE "id" = :id AND "sentAt" IS NOT NULL`,
    { id, reversedCents: found.reduce((sum, { amount_reversed }) => sum + amount_reversed, 0) },
  )
  await endSearches(ctx, id)
}

async function endSearches({ sql }: Pick<Context, 'sql'>, id: string): Promise<void> {
  await sql(
    'end-late-searches',
    `UPDATE "Transfer" SET "searchDueAt" = NULL WHERE "id" = :id AND "unknownSince" < now() - interval '30 days'`,
    { id },
  )
}
