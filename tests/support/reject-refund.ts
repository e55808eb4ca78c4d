import { systemContext } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import { syncRefunds } from '@/lib/refunds/sync-refunds'

/** Sets the status of a refund at the stand-in for Stripe. No event reports it. */
export async function setRefundStatus(
  stripeRefundId: string,
  status: 'failed' | 'pending' | 'succeeded',
): Promise<void> {
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: stripeRefundId } })
  const changed = { ...(json as object), status }
  await db().sandboxObject.update({ where: { id: stripeRefundId }, data: { json: changed } })
}

/** Lets the bank reject a refund of an order after the refund had succeeded, and reads it from Stripe. */
export async function rejectRefund(stripeRefundId: string, orderId: string): Promise<void> {
  await setRefundStatus(stripeRefundId, 'failed')
  await syncRefunds(systemContext('test'), orderId)
}
