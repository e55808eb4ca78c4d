import 'server-only'
import type { DiscountCodeRow } from '@/lib/drops/codes/code-view'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { refundSql } from '@/lib/stock/refund-sql'
import { codeProblemText } from '../choices/code-messages'
import { aboveLimitText } from './limit-messages'
import { checkoutError } from '../messages'

/** SQL: whether a paid order `b` still counts for a limit per buyer, which it does until all its units are refunded. */
export const STILL_BOUGHT = refundSql.isStillBought('b')

/** Returns the refusal of an order above the limit per buyer of its drop. */
export const aboveLimit = (maxPerBuyer: number) => checkoutError('ABOVE_LIMIT', { text: aboveLimitText(maxPerBuyer) })

type Wanted = { buyerKey: string; quantity: number; code: Pick<DiscountCodeRow, 'id' | 'code' | 'perBuyer'> | null }

/**
 * Refuses an order with which this browser would exceed the limit per buyer of the drop or of the discount code. Email
 * and card are unknown before the payment, so another browser is noticed only when the order is paid, and is refunded
 * (lib/checkout/settlement/mark-paid.ts). Without this check, a buyer in the same browser would also be charged and
 * then refunded.
 * @throws ABOVE_LIMIT, CODE_USED_UP
 */
export async function assertBuyerLimits(
  ctx: Pick<Context, 'sql'>,
  drop: Pick<DropRow, 'id' | 'run' | 'maxPerBuyer'>,
  { buyerKey, quantity, code }: Wanted,
): Promise<void> {
  const { maxPerBuyer } = drop
  const usesPerBuyer = code?.perBuyer ?? null
  if (maxPerBuyer === null && usesPerBuyer === null) return
  const [bought] = await ctx.sql<{ units: number; uses: number }>(
    'bought-by-browser',
    `SELECT COALESCE(sum(b."quantity" - ${refundSql.units('b')}) FILTER (WHERE h."run" = :run), 0)::int AS "units",
            count(*) FILTER (WHERE h."codeId" = :codeId::int)::int AS "uses"
       FROM "Hold" h JOIN "Order" b ON b."holdId" = h."id"
      WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND h."state" = 'sold'
        AND b."paidAt" IS NOT NULL AND ${STILL_BOUGHT}`,
    { dropId: drop.id, run: drop.run, buyerKey, codeId: code?.id ?? null },
  )
  if (maxPerBuyer !== null && (bought?.units ?? 0) + quantity > maxPerBuyer) throw aboveLimit(maxPerBuyer)
  if (usesPerBuyer !== null && (bought?.uses ?? 0) >= usesPerBuyer) {
    throw checkoutError('CODE_USED_UP', { text: codeProblemText(code?.code ?? '', 'usedByYou') })
  }
}
