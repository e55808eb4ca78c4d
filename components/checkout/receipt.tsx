import type { ReactNode } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { AddressBlock } from '@/components/orders/address-block'
import { PrintButton } from '@/components/orders/print-button'
import { BusinessFacts } from '@/components/traders/business-facts'
import { Button } from '@/components/ui/button'
import { EmailAddress } from '@/components/ui/email-address'
import { sellerName } from '@/lib/accounts/rules'
import { editionNote, editionText } from '@/lib/drops/editions/edition-messages'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { privateSellerText, taxTexts } from '@/lib/traders/messages'
import type { TraderView } from '@/lib/traders/view'
import type { BuyerOrderView } from '@/lib/orders/view'

/** Shows what was paid, to whom and for what. The receipt looks like paper on the screen, too. */
export function Receipt({ order, paidAt }: { order: BuyerOrderView; paidAt: string }) {
  // The discount of an order is the discount of one unit times the quantity, so this sum is divisible by the quantity.
  const fullCents = order.amountCents + (order.discount?.cents ?? 0) - (order.shipping?.cents ?? 0)
  const seller = sellerName(order.seller)
  return (
    <main className="mx-auto grid max-w-2xl gap-5 px-5 pt-2 pb-20 print:m-0 print:max-w-none print:p-0">
      <div className="flex flex-wrap gap-2 print:hidden">
        <PrintButton />
        <Button asChild variant="ghost">
          <a href={`/o/${order.token}`}>Back to your order</a>
        </Button>
      </div>
      <article className="slip-a4 grid gap-6 rounded-card border bg-white p-6 text-black print:border-0 print:p-0">
        <header className="flex flex-wrap items-start justify-between gap-4">
          <div>
            <h1 className="text-3xl font-extrabold">Receipt</h1>
            <p>
              Sold by {seller} on {brand.name}
            </p>
          </div>
          <dl className="tabular grid gap-0.5 text-sm">
            <Fact label="Order" value={order.reference} />
            <Fact label="Paid" value={<LocalTime iso={paidAt} withYear />} />
          </dl>
        </header>
        <Trader trader={order.trader} username={order.seller.username} />
        <Buyer order={order} />
        <table className="tabular w-full border-t border-black">
          <thead className="text-sm">
            <tr>
              <th scope="col" className="py-2 text-start font-normal">
                Item
              </th>
              <th scope="col" className="py-2 text-end font-normal">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            <tr className="border-t border-black/30 align-top">
              <td className="py-2 pe-4">
                <span className="block font-semibold">{order.title}</span>
                {order.edition ? <span className="block">{editionText(order.edition)}</span> : null}
                {order.edition && editionNote(order.edition) ? (
                  <span className="block text-sm">{editionNote(order.edition)}</span>
                ) : null}
                {order.quantity} × {formatUsd(fullCents / order.quantity)}
                {order.productType === 'physical' && !order.shipping ? ', shipping included' : ''}
                {order.promise ? <span className="block">{order.promise}</span> : null}
              </td>
              <td className="py-2 text-end whitespace-nowrap">{formatUsd(fullCents)}</td>
            </tr>
            {order.discount ? (
              <tr className="border-t border-black/30">
                <td className="py-2 pe-4">Discount code {order.discount.code}</td>
                <td className="py-2 text-end whitespace-nowrap">−{formatUsd(order.discount.cents)}</td>
              </tr>
            ) : null}
            {order.shipping ? (
              <tr className="border-t border-black/30">
                <td className="py-2 pe-4">{shippingLabel(order.shipping.country)}</td>
                <td className="py-2 text-end whitespace-nowrap">{formatUsd(order.shipping.cents)}</td>
              </tr>
            ) : null}
            <Sum label="Total paid" cents={order.amountCents} />
            <IncludedTax cents={order.taxCents} />
            {order.refundedCents > 0 ? <Sum label="Refunded" cents={-order.refundedCents} /> : null}
            {order.refundedCents > 0 ? (
              <Sum label="Paid after refunds" cents={order.amountCents - order.refundedCents} />
            ) : null}
          </tbody>
        </table>
        <p className="text-sm">All amounts in US dollars (USD).</p>
      </article>
      <div className="print:hidden">
        <BuyerLinks />
      </div>
    </main>
  )
}

function Buyer({ order }: { order: BuyerOrderView }) {
  return (
    <div className="text-sm">
      <p>For</p>
      {order.address ? <AddressBlock address={order.address} /> : <p className="font-semibold">{order.buyerName}</p>}
      <p className="wrap-anywhere">{order.email ? <EmailAddress>{order.email}</EmailAddress> : null}</p>
    </div>
  )
}

/** Shows the seller as stated at the purchase. A receipt is made for printing, so it has no collapsed sections. */
function Trader({ trader, username }: { trader: TraderView | null; username: string | null }) {
  if (!trader) return null
  if (trader.kind === 'private') return <p className="text-sm">{privateSellerText(username)}</p>
  return (
    <div className="text-sm">
      <p>Seller</p>
      <p className="font-semibold">{trader.legalName}</p>
      <BusinessFacts trader={trader} />
    </div>
  )
}

function Fact({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-12">{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

/** Shows the tax that the total contains, if there is any. */
function IncludedTax({ cents }: { cents: number }) {
  if (cents === 0) return null
  return (
    <tr>
      <td className="pe-4 pb-2 text-sm">{taxTexts.included.label}</td>
      <td className="pb-2 text-end text-sm whitespace-nowrap">{taxTexts.included.value(cents)}</td>
    </tr>
  )
}

function Sum({ label, cents }: { label: string; cents: number }) {
  return (
    <tr className="border-t border-black/30 font-bold">
      <td className="py-2 pe-4">{label}</td>
      <td className="py-2 text-end whitespace-nowrap">{cents < 0 ? `−${formatUsd(-cents)}` : formatUsd(cents)}</td>
    </tr>
  )
}
