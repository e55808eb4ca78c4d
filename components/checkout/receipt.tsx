import { AddressBlock } from '@/components/orders/address-block'
import { PrintButton } from '@/components/orders/print-button'
import { Button } from '@/components/ui/button'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import type { BuyerOrderView } from '@/lib/orders/view'

const day = (iso: string) => new Date(iso).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Shows what was paid, to whom and for what. It looks like a paper receipt, also on screen. */
export function Receipt({ order, paidAt }: { order: BuyerOrderView; paidAt: string }) {
  // The discount of an order is that of one unit times their number, so this divides without a rest.
  const fullCents = order.amountCents + (order.discount?.cents ?? 0)
  const seller = `@${order.seller.username ?? order.seller.firstName}`
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
            <Fact label="Paid" value={`${day(paidAt)}, by card`} />
          </dl>
        </header>
        <div className="text-sm">
          <p>For</p>
          {order.address ? (
            <AddressBlock address={order.address} />
          ) : (
            <p className="font-semibold">{order.buyerName}</p>
          )}
          <p className="break-all">{order.email}</p>
        </div>
        <table className="tabular w-full border-t border-black text-start">
          <thead className="text-sm">
            <tr>
              <th scope="col" className="py-2 font-normal">
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
                {order.quantity} × {formatUsd(fullCents / order.quantity)}
                {order.productType === 'physical' ? ', shipping included' : ''}
              </td>
              <td className="py-2 text-end whitespace-nowrap">{formatUsd(fullCents)}</td>
            </tr>
            {order.discount ? (
              <tr className="border-t border-black/30">
                <td className="py-2 pe-4">Discount code {order.discount.code}</td>
                <td className="py-2 text-end whitespace-nowrap">−{formatUsd(order.discount.cents)}</td>
              </tr>
            ) : null}
            <Sum label="Total paid" cents={order.amountCents} />
            {order.refundedCents > 0 ? <Sum label="Refunded" cents={-order.refundedCents} /> : null}
            {order.refundedCents > 0 ? <Sum label="Net paid" cents={order.amountCents - order.refundedCents} /> : null}
          </tbody>
        </table>
        <p className="text-sm">All amounts in US dollars (USD).</p>
      </article>
    </main>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex gap-3">
      <dt className="w-12">{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
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
