import { cn } from '@/components/ui/class-names'
import { brand } from '@/lib/kernel/brand'
import { editionText } from '@/lib/drops/editions/edition-messages'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import type { SellerOrderView } from '@/lib/orders/seller-view'
import { refundedUnitsText } from '@/lib/orders/unit-messages'
import { AddressBlock } from './address-block'

type PackingSlipProps = {
  order: SellerOrderView
  size: 'a4' | 'label'
  seller: string
  timezone: string
  qr: { size: number; path: string }
}

/**
 * Shows the packing slip of one order. The slip is black on white in every theme because it is printed. Each slip is
 * printed on a separate page.
 */
export function PackingSlip({ order, size, seller, timezone, qr }: PackingSlipProps) {
  const isLabel = size === 'label'
  const day = <span className="whitespace-nowrap">{formatDay(new Date(order.paidAt), timezone)}</span>
  return (
    <article
      aria-label={`Packing slip ${order.reference}`}
      className={cn(
        'grid content-start gap-6 rounded-card border bg-white p-6 text-black not-last:break-after-page',
        'print:rounded-none print:border-0 print:p-0',
        isLabel ? 'slip-label mx-auto w-full max-w-[4in] gap-4 print:mx-0' : 'slip-a4',
      )}
    >
      <header className="flex items-start justify-between gap-4">
        <div>
          <p className="font-display text-xl font-extrabold">@{seller}</p>
          <p className="text-sm">
            Order <span className="tabular font-semibold">{order.reference}</span> · {day}
          </p>
          {order.shipping ? (
            <p className="tabular text-sm">
              Shipping {order.shipping.cents === 0 ? 'included' : formatUsd(order.shipping.cents)}
            </p>
          ) : null}
          {order.promise ? <p className="tabular text-sm font-semibold">{order.promise}</p> : null}
        </div>
        <svg
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          role="img"
          aria-label="QR code that opens this order"
          className={isLabel ? 'size-24' : 'size-28'}
        >
          <path d={qr.path} fill="currentColor" />
        </svg>
      </header>
      <div>
        <p className="mb-1 text-sm">
          Ship to
          {order.addressVersion > 0 ? <strong> (new address, replaces every earlier slip)</strong> : null}
        </p>
        {order.address ? (
          <AddressBlock address={order.address} className={isLabel ? 'text-xl' : 'text-2xl'} />
        ) : (
          <p>{order.buyerName}</p>
        )}
      </div>
      <table className="w-full border-t border-black">
        <thead className="text-sm">
          <tr>
            <th scope="col" className="py-2 text-start font-normal">
              Item
            </th>
            <th scope="col" className="py-2 text-end font-normal whitespace-nowrap">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-black/30 align-top text-lg font-semibold">
            <td dir="auto" className="py-2 pe-4">
              {order.title}
              {order.edition ? <span className="tabular block text-base">{editionText(order.edition)}</span> : null}
            </td>
            <td className="tabular py-2 text-end">
              {order.unitsLeft}
              {order.unitsLeft < order.quantity ? (
                <span className="block text-sm font-normal">{refundedUnitsText(order)}</span>
              ) : null}
            </td>
          </tr>
        </tbody>
      </table>
      {isLabel ? null : (
        <p className="text-sm">
          Thank you for buying from @{seller} on {brand.name}. Questions about this order? Open the link in your
          receipt.
        </p>
      )}
    </article>
  )
}
