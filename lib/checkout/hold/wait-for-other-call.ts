import 'server-only'
import type { Context } from '@/lib/infra/context'
import { checkoutError } from '../messages'
import { findOpenCheckout, type OpenCheckout } from '../queries'

const OTHER_CALL_TRIES = 40
const OTHER_CALL_PAUSE_MS = 100

/**
 * Waits for another call of the same buyer that holds the units and is waiting for Stripe, and returns its checkout.
 * The caller checks what this checkout is for, because the other call may be for another choice.
 * @throws STRIPE_AWAY when that call has ended without a checkout, has put the buyer into the line, or takes longer
 *   than about four seconds
 */
export async function waitForOtherCall(ctx: Context, dropId: number, buyerKey: string): Promise<OpenCheckout> {
  for (let attempt = 0; attempt < OTHER_CALL_TRIES; attempt += 1) {
    const open = await findOpenCheckout(ctx, dropId, buyerKey)
    if (open?.stripeId) return open
    // The other call has put the buyer into the line.
    if (!open || open.waitMs !== null) break
    await new Promise((resolve) => setTimeout(resolve, OTHER_CALL_PAUSE_MS))
  }
  throw callAgain()
}

/** The error for a buyer whose other call has not opened a checkout that this call could use or close. */
export const callAgain = () => checkoutError('STRIPE_AWAY', { retryAfterSeconds: 2 })
