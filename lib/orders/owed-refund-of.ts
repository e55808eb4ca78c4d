import 'server-only'
import type { Refund } from '@prisma/client'
import { isOwedByPlatform, isForFailedPurchase, isUnsentForFailedPurchase } from './rules'
import type { BuyerOrderView } from './view'

/**
 * Returns the progress of a refund that the platform owes the buyer, or null if it owes none. Parts of it may have been
 * made in Stripe's dashboard, and each part can fail.
 */
export function owedRefundOf(order: { refunds: Refund[]; amountCents: number }): BuyerOrderView['owedRefund'] {
  const { refunds, amountCents } = order
  const owed = refunds.find(isOwedByPlatform)
  if (!owed) return null
  const parts = refunds.filter(
    (refund) => refund === owed || (isForFailedPurchase(owed) && refund.requestedBy === 'stripe'),
  )
  const sent = parts.filter(({ state }) => state === 'succeeded')
  const isRepaid = owed.requestedBy === 'system' && sent.reduce((sum, part) => sum + part.amountCents, 0) >= amountCents
  if (
    owed.state === 'failed' ||
    (!isRepaid && !isUnsentForFailedPurchase(owed) && parts.some(({ state }) => state === 'failed'))
  )
    return 'failed'
  return owed.state === 'succeeded' ? 'sent' : 'pending'
}
