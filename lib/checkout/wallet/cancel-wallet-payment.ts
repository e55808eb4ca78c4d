import 'server-only'
import { buyerKeyOf } from '../choices/count-tap'
import type { Context } from '@/lib/infra/context'
import { closeCheckout } from '../close-checkout'
import { findBuyersCheckout, type OpenCheckout } from '../queries'
import type { CancelWalletInput } from './wallet-schema'

/**
 * How much older than its tap a hold may seem, because the call that cancels can take longer to arrive than the call of
 * the tap.
 */
const MARGIN_MS = 2_000

/**
 * Releases the units right away when a buyer closes the sheet of a wallet without paying (docs/product.md#wallets).
 * Only this browser's own embedded checkout of the drop is closed, and only if this tap is the newest one that uses the
 * checkout. A call can arrive so late that the buyer has tapped again and uses the same hold, or another one. For a
 * browser that does not name its tap, the checkout must have the named payment or, when the browser got no response
 * with a payment, its hold must be younger than the tap. A hosted checkout stays open, because the buyer has pressed
 * Buy in the meantime. A payment that went through anyway is settled instead.
 * @returns false when this browser has another open checkout of the drop, which stays open
 */
export async function cancelWalletPayment(
  ctx: Context,
  { dropId, buyerToken, ...tap }: CancelWalletInput & { buyerToken: string },
): Promise<boolean> {
  if (ctx.payments === 'off') return true
  const { open } = await findBuyersCheckout(ctx, dropId, buyerKeyOf(buyerToken))
  if (!open) return true
  if (!isOfTap(open, tap)) return false
  await closeCheckout(ctx, open, 'cancelled')
  return true
}

function isOfTap(open: OpenCheckout, { tapId, paymentIntentId, ageMs }: Omit<CancelWalletInput, 'dropId'>): boolean {
  if (open.mode !== 'embedded') return false
  if (tapId !== undefined && open.tapId !== null) return open.tapId === tapId
  if (paymentIntentId !== undefined) return open.stripeId === paymentIntentId
  return ageMs === undefined || open.ageMs <= ageMs + MARGIN_MS
}
