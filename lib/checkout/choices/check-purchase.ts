import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import type { DiscountCodeRow } from '@/lib/drops/codes/code-view'
import { buyerKeyOf } from './count-tap'
import { discountOf } from '@/lib/drops/codes/code-rules'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import { aboveLimit, assertBuyerLimits } from '../hold/assert-buyer-limits'
import { assertFewRefundedPayments } from '../hold/assert-few-refunded-payments'
import { chooseCode } from './choose-code'
import { chooseCountry } from './choose-country'
import { chooseEarlyLink, openForFollower, type UsableLink } from './choose-early-link'
import { chooseValue, soldOutChoice } from './choose-value'
import { findDropOnSale } from './find-drop-on-sale'
import { checkoutError } from '../messages'
import { originKeyOf } from '../hold/origin-of'
import { findBuyersCheckout, type OpenCheckout } from '../queries'
import { countedRefusal, whyClosed, whyNot } from './why-not'

export type OpenHoldInput = {
  dropId: number
  quantity: number
  /**
   * The chosen value of each option of the drop, by the option's name. It is empty or left out for a drop without
   * options.
   */
  selectedVariants?: Record<string, string>
  /**
   * The discount code, as the buyer typed it or as it is in the link. An empty string means no code. If it is left out,
   * the code of an open checkout stays.
   */
  code?: string
  /** The token of a follower's link, which matters only until the public start (docs/product.md#early-access). */
  early?: string
  /** The country that the order is shipped to. A drop whose price includes shipping has none. */
  country?: string
  buyerToken: string
  /** Whether the buyer has just got this token, and so can have neither a checkout nor an order yet. */
  isNewBuyer?: boolean
  mode: CheckoutMode
  holdMs: number
  /** The tap on a wallet's button that starts this checkout; left out for every other checkout. */
  tapId?: string | undefined
  /** The proof of work that an earlier call required, and whether this browser can compute one or can only wait. */
  proof?: { given?: string; kind: 'work' | 'wait' }
}

/** What a buyer wants, after every check that needs no write, and the checkouts of the drop that this buyer has. */
export type CheckedPurchase = {
  /** The drop as this buyer sees it. For a follower with a link, it has started. */
  drop: DropRow
  /** The follower's link that is needed to buy now; null when none is needed. */
  link: UsableLink | null
  buyerKey: string
  /** The input with the ids of the chosen value and the code; null without options and without a code. */
  wanted: OpenHoldInput & { valueId: number | null; codeId: number | null }
  code: DiscountCodeRow | null
  /** The country that the order is shipped to; null when none is chosen. */
  shipsTo: string | null
  /** What the buyer will pay, in cents. */
  amountCents: number
  /** This buyer's open checkout of the drop. */
  open: OpenCheckout | null
  /** This buyer's newest checkout for which Stripe did not respond in the last minutes. */
  unanswered: OpenCheckout | null
  /** Whether the payment could be made on purpose so that it only leads to a refund (assertFewRefundedPayments()). */
  mayBeRefunded: boolean
  /** Whether a checkout is for the same units, code and country, in the same mode. */
  isTheSame: (open: OpenCheckout) => boolean
}

const NO_CHECKOUT = { open: null, unanswered: null }

/**
 * Checks whether this buyer may buy this drop, as far as reading it can show. The statement that takes the units checks
 * again, because other buyers may come first.
 * @throws the errors of openHold(), except ALREADY_PAID, STRIPE_AWAY, SELLER_LIMIT, RESTARTED_OFTEN and WORK_NEEDED
 */
export async function checkPurchase(ctx: Context, input: OpenHoldInput): Promise<CheckedPurchase> {
  if (ctx.payments === 'off') throw checkoutError('PAYMENTS_OFF')
  const { quantity } = input
  const found = await findDropOnSale(ctx, input.dropId)
  if (!found || found.id !== input.dropId) throw checkoutError('DROP_NOT_FOUND')
  const buyerKey = buyerKeyOf(input.buyerToken)
  const link = await chooseEarlyLink(ctx, found, { token: input.early, buyerKey, quantity })
  const drop = link ? openForFollower(found) : found
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw checkoutError('OWN_DROP')
  if (drop.priceCents * quantity > MAX_PRICE_CENTS) throw checkoutError('TOO_MUCH_AT_ONCE')
  if (drop.maxPerBuyer !== null && quantity > drop.maxPerBuyer) throw aboveLimit(drop.maxPerBuyer)

  // The checkout is read after the drop, so that a checkout of this buyer that took the last unit is found.
  const { open, unanswered } = input.isNewBuyer ? NO_CHECKOUT : await findBuyersCheckout(ctx, drop.id, buyerKey)
  // A closed drop is refused before the choice is checked, because an error about the choice would reveal the drop's
  // option. The page of a sold-out drop shows its values anyway.
  const closed = open?.isHeld ? null : whyClosed(drop)
  if (closed?.code === 'SOLD_OUT') throw soldOutChoice(drop, input.selectedVariants) ?? closed
  if (closed) throw countedRefusal(drop, closed)
  const valueId = chooseValue(drop, input.selectedVariants, open)
  const { shipsTo, shippingCents } = chooseCountry(drop, input.country, open)
  if (drop.priceCents * quantity + shippingCents > MAX_PRICE_CENTS) throw checkoutError('TOO_MUCH_AT_ONCE')
  const code = await chooseCode(ctx, drop, { typed: input.code, buyerKey }, open ?? unanswered)
  const none = open?.isHeld ? null : whyNot(drop, quantity, valueId)
  if (none) throw countedRefusal(drop, none)
  if (!input.isNewBuyer) await assertBuyerLimits(ctx, drop, { buyerKey, quantity, code })
  const unitCents = drop.priceCents - (code ? discountOf(drop.priceCents, code) : 0)
  const amountCents = unitCents * quantity + shippingCents
  const isTheSame = isSameAs(input, { valueId, codeId: code?.id ?? null, shipsTo })
  // On Stripe's own page, nobody can leave out the address of a parcel.
  const isUncheckedParcel = drop.productType === 'physical' && input.mode === 'embedded'
  const hasLimit = drop.maxPerBuyer !== null || Boolean(code?.perBuyer)
  const mayBeRefunded = hasLimit || shipsTo !== null || isUncheckedParcel || link !== null
  if (mayBeRefunded && !(open?.isHeld && isTheSame(open))) {
    await assertFewRefundedPayments(ctx, { originKey: originKeyOf(ctx, buyerKey), exceptHoldId: open?.holdId })
  }
  const wanted = { ...input, valueId, codeId: code?.id ?? null }
  return { drop, link, buyerKey, wanted, code, shipsTo, amountCents, open, unanswered, mayBeRefunded, isTheSame }
}

function isSameAs({ mode, quantity }: OpenHoldInput, chosen: Pick<OpenCheckout, 'valueId' | 'codeId' | 'shipsTo'>) {
  return (open: OpenCheckout): boolean =>
    !open.isExpired &&
    open.mode === mode &&
    open.quantity === quantity &&
    open.valueId === chosen.valueId &&
    open.codeId === chosen.codeId &&
    open.shipsTo === chosen.shipsTo
}
