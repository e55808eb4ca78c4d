import type { Metadata } from 'next'
import { OutcomeHeading } from '@/components/checkout/outcome-heading'
import { PaymentOutcome } from '@/components/checkout/payment-outcome'
import { StayOrGo } from '@/components/checkout/stay-or-go'
import { PaymentUnknown } from '@/components/checkout/payment-unknown'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { editionText } from '@/lib/drops/editions/edition-messages'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { pageContext } from '@/lib/http/page'
import { workAfterAnswer } from '@/lib/http/work-after-answer'
import { formatUsd } from '@/lib/kernel/money'
import { findCheckout } from '@/lib/checkout/settlement/get-paid-order'
import { checkoutTexts } from '@/lib/checkout/messages'

export const metadata: Metadata = { title: 'Your purchase', robots: { index: false }, referrer: 'no-referrer' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function PaymentBreakdownPage({ searchParams }: Props) {
  const { session_id: sessionId } = await searchParams
  const checkout = typeof sessionId === 'string' ? await findCheckout(await pageContext(), sessionId) : null
  // findCheckout() may settle the order, which is a write.
  workAfterAnswer({ isWrite: true })
  if (!checkout) {
    return <PaymentUnknown />
  }
  const { order, isUnpaid, dropPath, edition } = checkout
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md gap-6 px-5 py-10">
        <PaymentOutcome order={order} isUnpaid={isUnpaid} orderPath={`/o/${order.token}`} dropPath={dropPath}>
          <OutcomeHeading>{checkoutTexts.successTitle}</OutcomeHeading>
          <Card className="p-5">
            <h2 className="mb-3 text-xl font-bold">Purchase summary</h2>
            <dl className="tabular grid gap-2">
              <SummaryLine label={order.dropTitle} value={`× ${order.quantity}`} />
              {edition ? <SummaryLine label="Edition" value={editionText(edition)} /> : null}
              <SummaryLine
                label="Price each"
                value={formatUsd((order.amountCents + order.discountCents - order.shippingCents) / order.quantity)}
              />
              {order.discountCode === null ? null : (
                <SummaryLine label={`With code ${order.discountCode}`} value={`−${formatUsd(order.discountCents)}`} />
              )}
              {order.shipsTo === null ? null : (
                <SummaryLine label={shippingLabel(order.shipsTo)} value={formatUsd(order.shippingCents)} />
              )}
              <SummaryLine label="Total paid" value={`${formatUsd(order.amountCents)} USD`} isStrong />
            </dl>
          </Card>
          <Button asChild variant="buy" size="lg">
            <a href={`/o/${order.token}`}>View your order</a>
          </Button>
          <StayOrGo />
        </PaymentOutcome>
        <BuyerLinks />
      </main>
    </>
  )
}

function SummaryLine({ label, value, isStrong = false }: { label: string; value: string; isStrong?: boolean }) {
  return (
    <div className="flex justify-between gap-6">
      <dt dir="auto" className="text-muted">
        {label}
      </dt>
      <dd className={isStrong ? 'font-bold' : 'whitespace-nowrap'}>{value}</dd>
    </div>
  )
}
