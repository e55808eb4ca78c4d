// What the tests of debts and of refunds after the payout have in common.
import { db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { followLateTransfers } from '@/lib/refunds/follow-late-transfers'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { AVAILABLE_AT_ONCE, onboard, openCheckout, payAndSettle } from '@/tests/support/shop'

/** The context of a job. */
export const ctx = () => systemContext('test')
/** Reads the payout of an order. */
export const transferOf = (orderId: string) => db().transfer.findUniqueOrThrow({ where: { orderId } })

/** A card whose payment is pending at first. */
export const AVAILABLE_LATER = '4242424242424242'

/** Creates a seller whose connected account is ready. @returns the seller, a context, and the id of the account. */
export async function readySeller() {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(sellerCtx), 'finish')
  await refreshPayouts(sellerCtx, seller.id)
  const { stripeAccountId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  return { seller, sellerCtx, account: stripeAccountId ?? '' }
}

/** Returns the drop of a seller, and creates it on the first call. The free plan allows only one live drop. */
async function dropOf(seller: { id: number }) {
  const drop = await db().drop.findFirst({ where: { userId: seller.id } })
  return drop ?? makeDrop({ userId: seller.id, productType: 'digital' })
}

/** Pays for one unit of the seller's drop, and settles the order. */
export async function paidCheckout(seller: { id: number }, card = AVAILABLE_AT_ONCE) {
  const { url, sessionId } = await openCheckout((await dropOf(seller)).id)
  await payAndSettle(url, sessionId, card)
  return { sessionId }
}

/**
 * Makes a paid order of a digital drop and sends its payout. $24.00 less the fee of 5 % and a card fee of $1.00 leaves
 * $21.80.
 */
export async function sale(seller: { id: number }, card = AVAILABLE_AT_ONCE) {
  const { sessionId } = await paidCheckout(seller, card)
  await sendTransfers(ctx(), seller.id)
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
}

export const refund = (orderId: string, amountCents: number) => ({
  orderId,
  refundId: newId('ref'),
  amountCents,
  restockUnits: 0,
})

/** Returns the available balance of a connected account at Stripe in cents. */
export async function balanceOf(account: string): Promise<number> {
  const { available } = await stripe().balance.retrieve({}, { stripeAccount: account })
  return available[0]?.amount ?? 0
}

/** Pays the available balance of a seller's account out to the bank, as Stripe's automatic payouts do. */
export async function payOutToBank(account: string): Promise<void> {
  const amount = await balanceOf(account)
  await stripe().payouts.create({ amount, currency: 'usd' }, { stripeAccount: account })
}

/** Clears the pauses between attempts and runs the sweep of payouts again. */
export async function sweepAgain(): Promise<void> {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepPayouts(ctx())
}

/** Searches Stripe again for requests that it has carried out late. */
export async function searchAgain(): Promise<void> {
  await db().transfer.updateMany({ where: { unknownSince: { not: null } }, data: { searchDueAt: new Date(0) } })
  await followLateTransfers(ctx())
}
