import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { HOSTED_HOLD_MS } from '@/lib/orders/rules'
import { waitForOtherCall } from '@/lib/orders/open-hold'
import { orderError } from '@/lib/orders/messages'
import { reopenHold } from '@/lib/orders/reopen-hold'
import { openSession } from '@/lib/orders/start-checkout'
import type { TakenHold } from '@/lib/orders/take-hold'
import { waitlistError } from './messages'
import { claimBuyerKey } from './offer-freed-units'
import { findClaim } from './queries'

/**
 * Claims an offered unit: extends its hold to the lifetime of a Stripe session and opens that session. It works once;
 * while the session is open, the same link leads to it again.
 * @returns the address of the payment page.
 * @throws OWN_DROP, CLAIM_OVER, STRIPE_AWAY
 */
export async function claimUnit(ctx: Context, token: string): Promise<string> {
  const { actor } = ctx
  if (actor.kind === 'user' && (await findClaim(ctx, token))?.sellerId === actor.userId) throw orderError('OWN_DROP')
  const [hold] = await ctx.sql<TakenHold & { dropId: number }>(
    'claim-unit',
    `WITH mine AS (
       SELECT h."id" AS "holdId", e."id" AS "entryId"
         FROM "Hold" h JOIN "WaitlistEntry" e ON e."claimHoldId" = h."id"
        WHERE e."claimTokenHash" = :tokenHash AND e."claimedAt" IS NULL AND h."state" = 'held' AND h."expiresAt" > now()
          FOR UPDATE OF h, e
     ), kept AS (
       UPDATE "Hold" h SET "expiresAt" = now() + make_interval(secs => :holdMs::float8 / 1000) FROM mine
        WHERE h."id" = mine."holdId" RETURNING h."id", h."expiresAt", h."dropId"
     ), taken AS (
       UPDATE "WaitlistEntry" e SET "claimedAt" = now() FROM mine WHERE e."id" = mine."entryId" RETURNING e."id"
     )
     SELECT kept."id" AS "holdId", kept."expiresAt", false AS "isContested", kept."dropId", o."id" AS "orderId", o."token", o."amountCents",
            o."unitPriceCents", o."dropTitle" AS "title", o."optionName", o."optionValue", o."discountCode", o."discountCents", false AS "isRetry"
       FROM kept JOIN "Order" o ON o."holdId" = kept."id", taken`,
    { tokenHash: sha256(token), holdMs: HOSTED_HOLD_MS },
  )
  return hold ? openFor(ctx, hold.dropId, hold) : reopen(ctx, token)
}

async function openFor(ctx: Context, dropId: number, hold: TakenHold): Promise<string> {
  const drop = await findPublicDrop(ctx, String(dropId))
  const url = drop ? await openSession(ctx, drop, hold, 1) : null
  if (!url) throw waitlistError('CLAIM_OVER')
  return url
}

/**
 * The unit was claimed before: its session is still open, another call is opening it, Stripe was not available, or the
 * claim is over.
 */
async function reopen(ctx: Context, token: string): Promise<string> {
  const claim = await findClaim(ctx, token)
  if (!claim) throw waitlistError('CLAIM_OVER')
  if (!claim.isOpen) {
    const buyerKey = claimBuyerKey(claim.entryId)
    const { dropId, valueId } = claim
    const again = await reopenHold(ctx, { dropId, valueId, buyerKey, mode: 'hosted', quantity: 1 })
    if (!again) throw waitlistError('CLAIM_OVER')
    return openFor(ctx, claim.dropId, again)
  }
  if (claim.checkoutUrl) return claim.checkoutUrl
  const { checkoutUrl } = await waitForOtherCall(ctx, claim.dropId, claimBuyerKey(claim.entryId), 'hosted')
  if (!checkoutUrl) throw waitlistError('CLAIM_OVER')
  return checkoutUrl
}
