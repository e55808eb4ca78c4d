import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import type { DropRow } from '@/lib/drops/view'
import { zoneSql } from '@/lib/drops/delivery/zone-sql'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { isStripeDenial } from '@/lib/infra/stripe-errors'
import { assertFewLargeCheckouts } from '@/lib/checkout/hold/assert-few-refunded-payments'
import { chooseCountry } from '@/lib/checkout/choices/choose-country'
import { giveUpOpening } from '@/lib/checkout/hold/give-up-opening'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import { chargeWithinLimit, holdWithinLimit } from '@/lib/checkout/hold/hold-within-limit'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'
import { checkoutError } from '@/lib/checkout/messages'
import { originKeyOf } from '@/lib/checkout/hold/origin-of'
import { reopenHold } from '@/lib/checkout/hold/reopen-hold'
import { openSession } from '@/lib/checkout/open-session'
import { feeCentsSql } from '@/lib/checkout/settlement/fee-cents-sql'
import type { TakenHold } from '@/lib/checkout/hold/take-hold'
import { waitForOtherCall } from '@/lib/checkout/hold/wait-for-other-call'
import { BEGAN_LATELY, findOpenCheckout, type OpenCheckout } from '@/lib/checkout/queries'
import { waitlistError } from './messages'
import { holdAnew } from './hold-anew'
import { claimBuyerKey } from './offer-freed-units'
import { type Claim, findClaim } from './queries'

/**
 * Claims an offered unit: extends its hold to the lifetime of a Stripe session, and opens that session. A claim works
 * once. While the session is open, the same link leads to it again.
 * @param country the country that the parcel is sent to, for a drop with shipping zones
 * @returns the URL of the payment page.
 * @throws OWN_DROP, CLAIM_OVER, STRIPE_AWAY, SELLER_LIMIT, OFTEN_REFUNDED, LARGE_ORDERS_OPEN, and the errors of
 *   chooseCountry()
 */
export async function claimUnit(ctx: Context, token: string, country = ''): Promise<string> {
  const { actor } = ctx
  const claim = await findClaim(ctx, token)
  if (actor.kind === 'user' && claim?.sellerId === actor.userId) throw checkoutError('OWN_DROP')
  const isNew = claim?.isOpen && !claim.isClaimed
  const parcel = isNew ? await parcelOf(ctx, claim, country) : null
  const claimKey = claim ? originKeyOf(ctx, claimBuyerKey(claim.entryId)) : null
  const charge = async (tx: Pick<Context, 'sql'>) => {
    if (isNew && claimKey) await assertFewLargeCheckouts(tx, claimKey)
    if (parcel) await chargeShipping(tx, token, parcel)
    return keep(tx, token, claimKey)
  }
  const hold = parcel ? await chargeWithinLimit(ctx, parcel.drop, charge) : await sqlTransaction(ctx, charge)
  return hold ? openFor(ctx, { token, dropId: hold.dropId }, hold) : reopen(ctx, token)
}

type Parcel = { drop: DropRow; shipsTo: string }

/** Returns the drop and the country of a claim whose surcharge depends on the country; null for any other claim. */
async function parcelOf(ctx: Context, { dropId }: Claim, country: string): Promise<Parcel | null> {
  const found = await findPublicDrop(ctx, String(dropId))
  if (!found) return null
  const drop = await limitToHome(ctx, found)
  const { shipsTo } = chooseCountry(drop, country)
  return shipsTo ? { drop, shipsTo } : null
}

/**
 * Adds the surcharge for a country to the order of an offered unit, which was written before the country was known.
 * Call it in the transaction that claims the unit, so that the amount cannot change after the payment page was opened.
 */
async function chargeShipping(
  { sql }: Pick<Context, 'sql'>,
  token: string,
  { drop: { isHomeOnly = false }, shipsTo }: Parcel,
): Promise<void> {
  await sql(
    'charge-shipping',
    `WITH mine AS (
       SELECT h."id" FROM "Hold" h JOIN "WaitlistEntry" e ON e."claimHoldId" = h."id"
        WHERE e."claimTokenHash" = :tokenHash AND e."claimedAt" IS NULL AND h."state" = 'held' AND h."expiresAt" > now()
          FOR UPDATE OF h, e
     ), priced AS (
       SELECT o."id", ${zoneSql.cents(':shipsTo::text')} AS "cents",
              o."unitPriceCents" * o."quantity" + ${zoneSql.cents(':shipsTo::text')} AS "amount"
         FROM mine JOIN "Order" o ON o."holdId" = mine."id" JOIN "Drop" d ON d."id" = o."dropId"
        WHERE ${zoneSql.isServed(':shipsTo::text', { isOffer: 'false', isHomeOnly: ':isHomeOnly::boolean' })}
     )
     UPDATE "Order" o SET "shipsTo" = :shipsTo, "shippingCents" = priced."cents", "amountCents" = priced."amount",
            "platformFeeCents" = ${feeCentsSql('priced."amount"', 'o."platformFeeBps"')},
            "sellerPayoutCents" = priced."amount" - ${feeCentsSql('priced."amount"', 'o."platformFeeBps"')}
       FROM priced WHERE o."id" = priced."id"`,
    { tokenHash: sha256(token), shipsTo, isHomeOnly },
  )
}

/**
 * Extends the hold of an offered unit, and stores the network of its claim for assertFewRefundedPayments(). Returns
 * null when the unit cannot be claimed now.
 */
async function keep(
  { sql }: Pick<Context, 'sql'>,
  token: string,
  claimKey: string | null,
): Promise<(TakenHold & { dropId: number }) | null> {
  const [hold] = await sql<TakenHold & { dropId: number }>(
    'claim-unit',
    `WITH mine AS (
       SELECT h."id" AS "holdId", e."id" AS "entryId"
         FROM "Hold" h JOIN "WaitlistEntry" e ON e."claimHoldId" = h."id"
        WHERE e."claimTokenHash" = :tokenHash AND e."claimedAt" IS NULL AND h."state" = 'held' AND h."expiresAt" > now()
          FOR UPDATE OF h, e
     ), kept AS (
       UPDATE "Hold" h SET "claimKey" = :claimKey, "openingSince" = now(),
              "expiresAt" = now() + make_interval(secs => :holdMs::float8 / 1000) FROM mine
        WHERE h."id" = mine."holdId" RETURNING h."id", h."expiresAt", h."dropId"
     ), taken AS (
       UPDATE "WaitlistEntry" e SET "claimedAt" = now() FROM mine WHERE e."id" = mine."entryId" RETURNING e."id"
     )
     SELECT kept."id" AS "holdId", kept."expiresAt", false AS "isContested", kept."dropId", o."id" AS "orderId", o."token", o."amountCents",
            o."unitPriceCents", o."dropTitle" AS "title", o."optionName", o."optionValue", o."discountCode", o."discountCents", o."shipsTo", o."shippingCents",
            false AS "isRetry"
       FROM kept JOIN "Order" o ON o."holdId" = kept."id", taken`,
    { tokenHash: sha256(token), holdMs: HOSTED_HOLD_MS, claimKey },
  )
  return hold ?? null
}

/**
 * Opens the session for the hold of a claim. Stripe denies a retry if the earlier attempt never arrived there and the
 * time of the hold has become too short for a session, so the unit is then held anew.
 */
async function openFor(
  ctx: Context,
  { token, dropId }: { token: string; dropId: number },
  hold: TakenHold,
): Promise<string> {
  const found = await findPublicDrop(ctx, String(dropId))
  if (!found) throw waitlistError('CLAIM_OVER')
  const drop = await limitToHome(ctx, found)
  try {
    return await openSession(ctx, drop, hold, 1)
  } catch (error) {
    const again = hold.isRetry && isStripeDenial(error) ? await holdAnew(ctx, drop, { token, denied: hold }) : null
    if (again) return openFor(ctx, { token, dropId }, again)
    throw (await giveUpOpening(ctx, hold, error)) ?? waitlistError('CLAIM_OVER')
  }
}

/**
 * Handles a link whose unit cannot be claimed now. If the unit was claimed before, its session may be open, another
 * call may be opening the session or may have died before it knew the session, or Stripe may have been unavailable or
 * have failed. Otherwise the claim has ended.
 */
async function reopen(ctx: Context, token: string): Promise<string> {
  let claim = await findClaim(ctx, token)
  if (claim && !claim.isOpen) {
    const again = await holdAgain(ctx, token, claim)
    if (again) return openFor(ctx, { token, dropId: claim.dropId }, again)
    // Another call with this link may have held the unit again.
    claim = await findClaim(ctx, token)
  }
  if (!claim?.isOpen) throw waitlistError('CLAIM_OVER')
  if (claim.checkoutUrl) return claim.checkoutUrl
  const { dropId } = claim
  const buyerKey = claimBuyerKey(claim.entryId)
  const open = await findOpenCheckout(ctx, dropId, buyerKey)
  // The same idempotency key returns the session that Stripe may have created for the call that died.
  if (open && (await takeOver(ctx, open))) return openFor(ctx, { token, dropId }, { ...open, isRetry: true })
  const { checkoutUrl } = await waitForOtherCall(ctx, dropId, buyerKey)
  if (!checkoutUrl) throw waitlistError('CLAIM_OVER')
  return checkoutUrl
}

/** Holds the unit of a claim again whose hold was released because of Stripe, unless another buyer has the unit now. */
async function holdAgain(ctx: Context, token: string, claim: Claim): Promise<TakenHold | null> {
  const { dropId, valueId, shipsTo, entryId } = claim
  const found = await findPublicDrop(ctx, String(dropId))
  if (!found) return null
  const drop = await limitToHome(ctx, found)
  const units = { dropId, valueId, shipsTo, buyerKey: claimBuyerKey(entryId), mode: 'hosted', quantity: 1 } as const
  return (await holdWithinLimit(ctx, drop, (tx) => reopenHold(tx, units))) ?? holdAnew(ctx, drop, { token })
}

/** Returns whether this call opens the session, because the call that began to do so has died. One call gets true. */
async function takeOver({ sql }: Pick<Context, 'sql'>, { holdId, stripeId }: OpenCheckout): Promise<boolean> {
  if (stripeId !== null) return false
  const taken = await sql(
    'take-over-claim',
    `UPDATE "Hold" h SET "openingSince" = now()
      WHERE h."id" = :holdId AND h."state" = 'held' AND NOT ${BEGAN_LATELY} RETURNING h."id"`,
    { holdId },
  )
  return taken.length > 0
}
