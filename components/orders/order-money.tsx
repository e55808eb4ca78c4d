import { Card } from '@/components/ui/card'
import { brand } from '@/lib/kernel/brand'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import { disputedTexts, payoutDueText, sendAgainText } from '@/lib/payouts/messages'
import { taxTexts } from '@/lib/traders/messages'
import type { SellerOrderDetailView } from '@/lib/orders/detail-view'

function payoutText({ payout, dispute, money }: SellerOrderDetailView, timezone: string, now: Date): string | null {
  const day = (iso: string) => formatDay(new Date(iso), timezone)
  if (!payout) return null
  if (payout.isHeld && dispute?.status === 'lost') return disputedTexts.lost
  if (payout.isHeld && !payout.sentAt) return disputedTexts.open
  if (payout.isHeld && money.disputeTakenCents > 0) return disputedTexts.openAfterPayout
  if (payout.againCents > 0) return sendAgainText(payout.againCents)
  if (payout.state === 'reversed') return 'Deducted for the refund'
  if (payout.dueAgainCents > 0)
    return `${formatUsd(payout.dueAgainCents)} is due again after a failed refund. We'll send it by bank transfer`
  const byHand = payout.handPayments.at(-1)
  if (byHand) return `Paid by bank transfer on ${day(byHand.paidAt)}, reference ${byHand.reference}`
  if (payout.sentAt && payout.sentCents === 0) return 'Withheld for what you owe for other orders'
  if (payout.sentAt) return `Sent on ${day(payout.sentAt)}. Allow 2-7 business days for your bank`
  if (payout.settledIn) return `Stripe settled this payment in ${payout.settledIn}, so we'll pay you by bank transfer`
  const heldUntil = payout.heldUntil === null ? null : new Date(payout.heldUntil)
  if (!payout.isReady) return 'Connect payouts to receive this payout'
  return payoutDueText(new Date(payout.dueAt), { heldUntil, timezone, now, isPromisedParcel: payout.isPromisedParcel })
}

type OrderMoneyProps = { order: SellerOrderDetailView; timezone: string; now: Date }

/** Shows what was paid, what was deducted and what the seller receives. The lines add up. */
export function OrderMoney({ order, timezone, now }: OrderMoneyProps) {
  const { money } = order
  const minus = (cents: number) => `−${formatUsd(cents)}`
  const lines: [string, string][] = [
    ...(order.discount || order.shipping
      ? ([
          ['Price', formatUsd(order.amountCents + (order.discount?.cents ?? 0) - (order.shipping?.cents ?? 0))],
          ...(order.discount ? [[`Code ${order.discount.code}`, minus(order.discount.cents)] as [string, string]] : []),
          ...(order.shipping
            ? [[shippingLabel(order.shipping.country), formatUsd(order.shipping.cents)] as [string, string]]
            : []),
        ] satisfies [string, string][])
      : []),
    ['Amount', formatUsd(order.amountCents)],
    [`Platform fee ${money.platformFeeBps / 100}%`, minus(money.platformFeeCents - money.taxCents)],
    ...(money.taxCents > 0
      ? ([[taxTexts.withheld.label, taxTexts.withheld.value(money.taxCents)]] satisfies [string, string][])
      : []),
    [money.taxCents > 0 ? 'After fee and tax' : 'After the platform fee', formatUsd(money.sellerPayoutCents)],
    ['Card fee', money.cardFeeCents === null ? 'Pending' : minus(money.cardFeeCents)],
  ]
  if (money.refundedCents > 0) lines.push(['Refunded', minus(money.refundedCents)])
  const fee = money.taxCents > 0 ? taxTexts.feeAndTax : 'Platform fee'
  if (money.returnedFeeCents > 0) lines.push([`${fee} returned`, formatUsd(money.returnedFeeCents)])
  const taken = order.dispute?.status === 'lost' ? 'Returned by the bank' : 'Taken by the bank for now'
  if (money.disputeTakenCents > 0) lines.push([taken, minus(money.disputeTakenCents)])
  if (money.coveredCents > 0 && money.netCents !== null)
    lines.push([`Paid by ${brand.name}`, formatUsd(money.coveredCents)])
  const payout = payoutText(order, timezone, now)
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-xl font-bold">Money</h2>
      <dl className="tabular grid gap-1.5">
        {lines.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-muted">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="mt-1.5 flex justify-between gap-4 border-t pt-2.5 text-lg font-bold">
          <dt>You receive</dt>
          <dd>{money.netCents === null ? 'Pending' : formatUsd(money.netCents)}</dd>
        </div>
      </dl>
      {payout ? (
        <p className="mt-2 text-sm text-muted">
          {payout}.{' '}
          <a
            href="/payouts"
            className="inline-flex min-h-11 items-center font-medium text-ink underline underline-offset-2"
          >
            See payouts
          </a>
        </p>
      ) : null}
    </Card>
  )
}
