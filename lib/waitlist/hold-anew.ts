import 'server-only'
import { chargeWithinLimit } from '@/lib/checkout/hold/hold-within-limit'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold, type TakenHold } from '@/lib/checkout/hold/take-hold'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { claimBuyerKey } from './offer-freed-units'

/** The secret of a claim, and its hold if that is still held, because Stripe has denied a session for it just now. */
type Link = { token: string; denied?: Pick<TakenHold, 'holdId'> }

type Ended = { entryId: number; valueId: number | null; shipsTo: string | null; claimKey: string | null }

/**
 * Replaces the hold of a claim for which Stripe will not open a session anymore, with a new order and the full time.
 * The unit is released and taken in one transaction, so that nobody else gets it in between. If the earlier hold was
 * released because of Stripe, the unit may be gone. Until the earlier hold would have ended, the link is worth a new
 * one. Two calls with the same link replace the hold once, because they lock the entry.
 * @param drop the drop, as limitToHome() returns it
 * @returns null when the unit cannot be taken anymore. It is then free, and goes to the next in line or on sale.
 * @throws SELLER_LIMIT
 */
export function holdAnew(ctx: Context, drop: DropRow, { token, denied }: Link): Promise<TakenHold | null> {
  return chargeWithinLimit(ctx, drop, async (tx) => {
    if (denied) await releaseHold(tx, denied.holdId, 'stripe-refused')
    const [ended] = await tx.sql<Ended>(
      'ended-by-stripe',
      `SELECT e."id" AS "entryId", h."valueId", h."claimKey", o."shipsTo"
         FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId" JOIN "Order" o ON o."holdId" = h."id"
         JOIN "Drop" d ON d."id" = h."dropId" AND d."run" = h."run"
        WHERE e."claimTokenHash" = :tokenHash AND h."state" = 'released' AND h."reason" LIKE 'stripe-%'
          AND h."expiresAt" > now() FOR UPDATE OF e`,
      { tokenHash: sha256(token) },
    )
    if (!ended) return null
    const { entryId, valueId, claimKey, shipsTo } = ended
    const hold = await takeHold(tx, {
      dropId: drop.id,
      isHomeOnly: drop.isHomeOnly ?? false,
      valueId,
      shipsTo,
      quantity: 1,
      buyerKey: claimBuyerKey(entryId),
      mode: 'hosted',
      holdMs: HOSTED_HOLD_MS,
    })
    if (!hold) return null
    await tx.sql(
      'move-claim',
      `WITH claimed AS (UPDATE "Hold" SET "claimKey" = :claimKey WHERE "id" = :holdId)
       UPDATE "WaitlistEntry" SET "claimHoldId" = :holdId WHERE "id" = :entryId`,
      { entryId, holdId: hold.holdId, claimKey },
    )
    return hold
  })
}
