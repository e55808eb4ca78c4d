import { PackageCheck, ReceiptText, Truck } from 'lucide-react'
import { AddressBlock } from '@/components/orders/address-block'
import { Timeline } from '@/components/orders/timeline'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { orderStatusText, trackingUrl } from '@/lib/orders/rules'
import type { BuyerOrderView } from '@/lib/orders/view'
import { DownloadForm } from './download-form'
import { FormOutcome } from './form-outcome'
import { OrderHelp, SellerGone } from './order-help'

type OrderPageProps = { order: BuyerOrderView; now: Date; sent?: string | undefined; problem: string | null }

/** The buyer's receipt and everything else about the order. The page is reached through a secret link. */
export function OrderPage({ order, now, sent, problem }: OrderPageProps) {
  const facts: [string, React.ReactNode][] = [
    ['Order', order.reference],
    ['Paid', order.paidAt ? <LocalTime key="paid" iso={order.paidAt} /> : 'Not yet'],
    ['Quantity', String(order.quantity)],
    ['Total', `${formatUsd(order.amountCents)} USD`],
  ]
  if (order.refundedCents > 0) facts.push(['Refunded', `${formatUsd(order.refundedCents)} USD`])
  if (order.email) facts.push(['Receipt sent to', order.email])
  const page = trackingUrl(order.carrier, order.trackingNumber)
  return (
    <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-20">
      <FormOutcome sent={sent} problem={problem} />
      <div className="grid gap-2">
        <Badge tone={tones[order.status] ?? 'good'} className="justify-self-start">
          {order.isLost ? 'Money back' : orderStatusText[order.status]}
        </Badge>
        <h1 className="text-3xl font-extrabold">{headline(order)}</h1>
        <p className="text-muted">{nextStep(order)}</p>
        {page ? (
          <Button asChild className="mt-1 justify-self-start">
            <a href={page} target="_blank" rel="noreferrer noopener">
              <Truck aria-hidden />
              Track the parcel
            </a>
          </Button>
        ) : null}
        {order.completion ? (
          <form method="post" action={`/o/${order.token}/arrived`} className="mt-1">
            <Button type="submit" variant="outline">
              <PackageCheck aria-hidden />
              {order.completion === 'delivered' ? 'It has arrived' : 'It is done'}
            </Button>
          </form>
        ) : null}
      </div>
      <Card className="overflow-hidden">
        <a href={`/drop/${order.drop.identifier}`} className="flex items-center gap-4 p-4 hover:bg-sunken">
          {order.drop.imageSrc ? (
            // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
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
            <span className="text-sm text-muted">by @{order.seller.username ?? order.seller.firstName}</span>
          </span>
        </a>
        <dl className="tabular grid border-t text-sm">
          {facts.map(([label, value]) => (
            <div key={label} className="flex justify-between gap-6 border-b px-4 py-3 last:border-b-0">
              <dt className="text-muted">{label}</dt>
              <dd className="text-end font-medium break-all">{value}</dd>
            </div>
          ))}
        </dl>
        {order.paidAt ? (
          <a
            href={`/o/${order.token}/receipt`}
            className="flex min-h-12 items-center gap-2 border-t px-4 text-sm font-semibold hover:bg-sunken"
          >
            <ReceiptText aria-hidden className="size-5 text-muted" />
            Receipt to print
          </a>
        ) : null}
      </Card>
      {order.digitalUrl ? (
        <Button asChild variant="buy" size="large">
          <a href={order.digitalUrl} rel="noreferrer noopener" target="_blank">
            Open your file
          </a>
        </Button>
      ) : null}
      {order.file ? <DownloadForm token={order.token} file={order.file} /> : null}
      {order.timeline.length > 0 ? (
        <Card className="p-4 pb-1">
          <h2 className="mb-3 font-bold">What happened</h2>
          <Timeline entries={order.timeline} />
        </Card>
      ) : null}
      {order.address ? (
        <Card className="p-4">
          <h2 className="mb-1 font-bold">
            {order.isSent ? 'Sent to' : order.status === 'paid' ? 'Goes to' : 'Address'}
          </h2>
          <AddressBlock address={order.address} className="text-sm" />
          {order.shippingNote ? <p className="mt-3 text-sm text-muted">{order.shippingNote}</p> : null}
        </Card>
      ) : null}
      {order.paidAt && order.isSellerGone ? <SellerGone /> : null}
      {order.paidAt && !order.isSellerGone ? <OrderHelp token={order.token} request={order.request} now={now} /> : null}
      <p className="text-sm text-muted">Keep this page&rsquo;s link to yourself: whoever has it can open your order.</p>
    </main>
  )
}

const tones: Partial<Record<BuyerOrderView['status'], 'bad' | 'warn' | 'quiet'>> = {
  refunded: 'bad',
  disputed: 'warn',
  pending: 'quiet',
  expired: 'quiet',
}

function headline(order: BuyerOrderView): string {
  if (order.isLost) return 'Your bank gave your money back'
  if (order.isSellerGone && order.status === 'paid' && order.productType !== 'digital') {
    return 'The seller has closed their account'
  }
  if (order.owedRefund === 'failed') return 'We could not refund you'
  if (order.owedRefund === 'pending') return 'You get your money back'
  if (order.status === 'refunded' || order.owedRefund) return 'Your money is on its way back'
  if (order.status === 'disputed') return 'Your bank looks at this payment'
  if (order.status === 'pending' || order.status === 'expired') return 'This order is not paid'
  return 'Thank you, it is yours'
}

function nextStep(order: BuyerOrderView): string {
  if (order.owedRefund === 'failed') {
    return `Your bank did not accept our refund. We still owe you the full amount: write to ${brand.contact.support}.`
  }
  if (order.owedRefund === 'pending') return 'You get a mail when it is on its way to your card.'
  if (order.status === 'refunded' || order.owedRefund) return 'Banks take 5 to 10 days to show it on your card.'
  if (order.status === 'pending' || order.status === 'expired') return 'Nothing was charged.'
  if (order.isLost) return 'It decided for you. This order is closed.'
  if (order.status === 'disputed') return 'It decides within some weeks. Until then nothing else happens here.'
  if (order.isSellerGone && order.status === 'paid' && order.productType !== 'digital') {
    return 'It will not come any more: you get your money back. Banks take 5 to 10 days to show it.'
  }
  const help = order.isSellerGone ? '' : ' Something wrong with it? Write to the seller below.'
  if (order.status === 'delivered') return `It has arrived.${help}`
  if (order.status === 'done') return `It is done.${help}`
  if (order.trackingNumber) return `On its way with ${order.carrier ?? 'the carrier'}: ${order.trackingNumber}`
  if (order.status === 'shipped') return 'It is on its way to you.'
  if (order.productType === 'physical') return 'The seller packs it and sends it. You get a mail when it ships.'
  if (order.productType === 'digital') return 'Your file is below.'
  return 'The seller will write to you to arrange everything.'
}
