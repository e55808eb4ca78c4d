import 'server-only'
import { isIP } from 'node:net'
import { lacksTwoFactor } from '@/lib/accounts/guards'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { brand } from '@/lib/kernel/brand'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { orderError } from '@/lib/orders/messages'
import { disputeReasonText, disputeText } from '@/lib/orders/dispute-rules'
import { findOrderRecord } from '@/lib/orders/seller-queries'
import { evidenceOf, evidenceTime } from './evidence-of'

/** What a seller sees in place of a network address. */
const HIDDEN = '(only the bank sees this)'

const headings: Record<string, string> = {
  product_description: 'What was sold',
  customer_name: 'Buyer',
  customer_email_address: 'Email',
  customer_purchase_ip: 'Bought from this network address',
  shipping_address: 'Sent to',
  shipping_carrier: 'Carrier',
  shipping_tracking_number: 'Tracking number',
  shipping_date: 'Shipped on',
  service_date: 'First downloaded, or completed, on',
  access_activity_log: 'Downloads and keys shown',
  refund_policy_disclosure: 'Terms',
  uncategorized_text: "The seller's statement and the order updates",
}

/**
 * Returns the evidence of an order as text for reading and downloading. It is the evidence that was sent to the bank in
 * the newest dispute, or the evidence that would be sent now. The network addresses of the buyer are hidden from the
 * seller.
 * @throws NOT_FOUND for an order that is not paid, and for another seller's order unless the actor is an administrator,
 *   who needs a second factor when payments are live
 */
export async function getEvidence(
  ctx: Context<UserActor>,
  orderId: string,
): Promise<{ reference: string; text: string }> {
  const { actor } = ctx
  const mayReadAll = actor.isAdmin && !lacksTwoFactor(actor, ctx.payments)
  const order = await findOrderRecord(ctx.db, orderId, mayReadAll ? undefined : actor.userId)
  if (!order) throw orderError('NOT_FOUND')
  const reference = referenceOf(order.id)
  const dispute = order.disputes.at(-1)
  const sent = dispute?.evidence as Record<string, string> | null | undefined
  const about = dispute
    ? [
        `Dispute of ${formatUsd(dispute.amountCents)}. ${disputeReasonText(dispute.reason)}`,
        dispute.dueAt ? `Respond by: ${evidenceTime(dispute.dueAt)}` : '',
        dispute.submittedAt ? `Sent to the bank: ${evidenceTime(dispute.submittedAt)}` : 'Not sent to the bank yet.',
        disputeText(dispute.status, 'seller'),
      ]
    : ['There is no dispute about this order.']
  const fields = Object.entries(sent ?? evidenceOf(order, '', ctx.appUrl)).map(
    ([name, value]) => `${headings[name] ?? name}\n${'-'.repeat((headings[name] ?? name).length)}\n${String(value)}`,
  )
  // The bank receives the buyer's IP address. The seller must not see it.
  const addresses = mayReadAll
    ? []
    : [order.purchase?.ip, ...order.downloads.map(({ ip }) => ip), ...order.keys.map(({ shownIp }) => shownIp)]
  // "unknown" is stored where no address could be read. It is an ordinary word, so it stays.
  const conceal = (text: string) =>
    addresses.reduce<string>((shown, ip) => (ip && isIP(ip) ? shown.replaceAll(ip, HIDDEN) : shown), text)
  const head = [`${brand.name}: evidence for order ${reference}`, ...about].filter(Boolean).join('\n')
  return { reference, text: conceal(`${[head, ...fields].join('\n\n')}\n`) }
}
