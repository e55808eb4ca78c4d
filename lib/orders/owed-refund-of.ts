import 'server-only'
import type { Refund } from '@prisma/client'
import { isOwedByPlatform, isForFailedPurchase, isUnsentForFailedPurchase } from './refund-rules'
import type { BuyerOrderView } from './view'

/**
 * Returns the progress of a refund that the platform owes the buyer, or null if it owes none. Parts of it may have been
 * made in Stripe's dashboard, and each part can fail.
 */
export function owedRefundOf(order: {
  refunds: Refund[]
  amountCents: number
  status: string
}): BuyerOrderView['owedRefund'] {
  const { refunds, amountCents } = order
  const owed = refunds.find(isOwedByPlatform)
  if (!owed) return null
  if (owed.paidByHandAt) return 'byHand'
  if (owed.requestedBy === 'closure') {
    // The order may have been refunded in another way, such as in Stripe's dashboard.
    if (owed.state === 'failed' && order.status === 'refunded') return 'sent'
    if (owed.isTakenBackFirst && owed.takenBackAt === null) {
      // In a dispute the bank decides.
      if (order.status !== 'paid') return null
      return owed.state === 'pending' ? 'waiting' : 'notCovered'
    }
  }
  const parts = refunds.filter(
    (refund) => refund === owed || (isForFailedPurchase(owed) && refund.requestedBy === 'stripe'),
  )
  const sent = parts.filter(({ state }) => state === 'succeeded')
  const failed = parts.filter(({ state }) => state === 'failed')
  if (failed.length > 0 && failed.every(({ paidByHandAt }) => paidByHandAt !== null)) return 'byHand'
  const isRepaid = owed.requestedBy === 'system' && sent.reduce((sum, part) => sum + part.amountCents, 0) >= amountCents
  if (owed.state === 'failed' || (!isRepaid && !isUnsentForFailedPurchase(owed) && failed.length > 0)) return 'failed'
  return owed.state === 'succeeded' ? 'sent' : 'pending'
}
