import { ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Card } from '@/components/ui/card'
import { EmailAddress } from '@/components/ui/email-address'
import { sellerName } from '@/lib/accounts/rules'
import { editionNote, editionText } from '@/lib/drops/editions/edition-messages'
import type { EditionView } from '@/lib/drops/editions/edition-view'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { formatUsd } from '@/lib/kernel/money'
import { discountText } from '@/lib/orders/code-messages'
import { taxTexts } from '@/lib/traders/messages'
import type { BuyerOrderView } from '@/lib/orders/view'

const { included } = taxTexts

/** Shows the number. For an open edition, it also says that the total is not known yet. */
function numberText(edition: EditionView): ReactNode {
  const note = editionNote(edition)
  if (note === null) return editionText(edition)
  return (
    <>
      <span className="block">{editionText(edition)}</span>
      <span className="block text-sm text-muted">{note}</span>
    </>
  )
}

/** Shows what was bought and what was paid for it. */
export function OrderCard({ order }: { order: BuyerOrderView }) {
  const facts: [string, ReactNode][] = [
    ['Order', order.reference],
    ['Paid', order.paidAt ? <LocalTime key="paid" iso={order.paidAt} /> : 'Not yet'],
    ['Quantity', String(order.quantity)],
    ...(order.edition ? ([['Edition', numberText(order.edition)]] satisfies [string, ReactNode][]) : []),
    ...(order.discount ? ([['Discount', discountText(order.discount)]] satisfies [string, string][]) : []),
    ...(order.shipping
      ? ([[shippingLabel(order.shipping.country), formatUsd(order.shipping.cents)]] satisfies [string, string][])
      : []),
    ...(order.promise ? ([['Shipping', order.promise]] satisfies [string, string][]) : []),
    ['Total', `${formatUsd(order.amountCents)} USD`],
    ...(order.taxCents > 0 ? ([[included.label, included.value(order.taxCents)]] satisfies [string, string][]) : []),
  ]
  if (order.refundedCents > 0) facts.push(['Refunded', `${formatUsd(order.refundedCents)} USD`])
  if (order.email) facts.push(['Receipt sent to', <EmailAddress key="email">{order.email}</EmailAddress>])
  return (
    <Card className="overflow-hidden">
      <a href={`/drop/${order.drop.identifier}`} className="flex items-center gap-4 p-4 hover:bg-sunken">
        {order.drop.imageSrc ? (
          // eslint-disable-next-line @next/next/no-img-element -- our pictures come in ready-made widths
          <img
            src={order.drop.imageSrc}
            alt=""
            width={80}
            height={100}
            className="aspect-[4/5] w-20 rounded-control object-cover"
          />
        ) : null}
        <span className="grid gap-0.5">
          <span className="font-display text-lg leading-snug font-bold">{order.title}</span>
          <span className="text-sm text-muted">by {sellerName(order.seller)}</span>
        </span>
      </a>
      <dl className="tabular grid border-t text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-6 border-b px-4 py-3 last:border-b-0">
            <dt className="max-w-1/2 shrink-0 text-muted">{label}</dt>
            <dd className="text-end font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {order.paidAt ? (
        <a
          href={`/o/${order.token}/receipt`}
          className="flex min-h-12 items-center gap-2 border-t px-4 text-sm font-semibold hover:bg-sunken"
        >
          <ReceiptText aria-hidden className="size-5 text-muted" />
          Print receipt
        </a>
      ) : null}
    </Card>
  )
}
