import type { ReactNode } from 'react'
import { DropImage } from '@/components/drops/drop-image'
import { Card } from '@/components/ui/card'
import { sellerName } from '@/lib/accounts/rules'
import { keyTexts } from '@/lib/drops/keys/key-messages'
import type { DropView } from '@/lib/drops/view'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { formatUsd } from '@/lib/kernel/money'
import type { SelectedVariants } from '@/lib/checkout/schema'
import type { OrderDiscount, Shipping } from '@/lib/orders/view'
import { HoldTimer } from './hold-timer'
import { FocusedHeading } from './focused-heading'

const whatHappensNext = {
  physical:
    "The seller will pack and ship your order. We'll email you a receipt right after you pay, and an update when your order ships.",
  digital: 'Your download is ready right after you pay.',
  service: "We'll email you a receipt, and the seller will email you to arrange the details.",
} as const

type PurchaseSummaryProps = {
  drop: DropView
  /** The chosen value of the drop's option, by the option's name. */
  variants: SelectedVariants
  discount: OrderDiscount | null
  shipping: Shipping | null
  /** Undefined until a unit is held. */
  expiresAt: string | undefined
  /** The server's time in seconds. */
  second: number
  /** True when the summary has just replaced a message. The heading then takes the focus. */
  isReplacement: boolean
  /** Who sells, as stated by the seller; null when nothing was stated. */
  soldBy: ReactNode
}

/** Shows what is bought, from whom, for how much, and until when the unit is held. */
export function PurchaseSummary(props: PurchaseSummaryProps) {
  const { drop, variants, discount, shipping, expiresAt, second, isReplacement, soldBy } = props
  const Heading = isReplacement ? FocusedHeading : 'h1'
  const [image] = drop.images
  return (
    <section aria-label="What you're buying" className="grid gap-4 md:sticky md:top-6">
      <Heading className="text-3xl font-extrabold">Checkout</Heading>
      <Card className="flex items-center gap-4 p-4">
        {image ? (
          <div className="aspect-[4/5] w-20 shrink-0 overflow-hidden rounded-control">
            <DropImage image={image} alt="" sizes="80px" />
          </div>
        ) : null}
        <div className="grid gap-0.5">
          <p className="font-display text-lg leading-snug font-bold">{drop.title}</p>
          {Object.entries(variants).map(([name, value]) => (
            <p key={name} dir="auto" className="font-medium">
              {name}: {value}
            </p>
          ))}
          <p className="text-sm text-muted">by {sellerName(drop.user)}</p>
        </div>
      </Card>
      {discount || shipping ? (
        <dl className="tabular grid gap-1.5">
          <Line label="Price" value={formatUsd(drop.priceCents)} />
          {discount ? <Line label={`Code ${discount.code}`} value={`−${formatUsd(discount.cents)}`} /> : null}
          {shipping ? <Line label={shippingLabel(shipping.country)} value={formatUsd(shipping.cents)} /> : null}
        </dl>
      ) : null}
      <dl className="tabular flex items-baseline justify-between gap-4">
        <dt className="text-muted">
          Total
          {drop.productType === 'physical' && !shipping ? (
            <span className="block text-xs">Shipping included</span>
          ) : null}
        </dt>
        <dd className="text-2xl font-bold">
          {formatUsd(drop.priceCents - (discount?.cents ?? 0) + (shipping?.cents ?? 0))} USD
        </dd>
      </dl>
      {expiresAt ? <HoldTimer expiresAt={expiresAt} second={second} /> : null}
      <p className="text-sm text-muted">{drop.hasKeys ? keyTexts.ready : whatHappensNext[drop.productType]}</p>
      {soldBy}
    </section>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
