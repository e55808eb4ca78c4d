import { CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { OrderFile } from '@/components/checkout/order-file'
import { OutcomeHeading } from '@/components/checkout/outcome-heading'
import { PaymentOutcome } from '@/components/checkout/payment-outcome'
import { DropImage } from '@/components/drops/drop-image'
import { ShareButton } from '@/components/drops/share-button'
import { PaymentUnknown } from '@/components/checkout/payment-unknown'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { HomeLink } from '@/components/layout/home-link'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { EmailAddress } from '@/components/ui/email-address'
import { editionNote, editionText } from '@/lib/drops/editions/edition-messages'
import { pageContext } from '@/lib/http/page'
import { workAfterAnswer } from '@/lib/http/work-after-answer'
import { formatUsd } from '@/lib/kernel/money'
import { findCheckout } from '@/lib/checkout/settlement/get-paid-order'
import { orderTexts } from '@/lib/orders/messages'
import { checkoutTexts } from '@/lib/checkout/messages'
import { sessionTail } from '@/lib/checkout/rules'

export const metadata: Metadata = { title: 'Payment', robots: { index: false }, referrer: 'no-referrer' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SuccessPaymentPage({ searchParams }: Props) {
  const { session_id: sessionId } = await searchParams
  const checkout = typeof sessionId === 'string' ? await findCheckout(await pageContext(), sessionId) : null
  // findCheckout() may settle the order, which is a write.
  workAfterAnswer({ isWrite: true })
  if (!checkout || typeof sessionId !== 'string') {
    return <PaymentUnknown />
  }
  const { order, isUnpaid, dropPath, digital, image, edition, digitalUrl, file } = checkout
  const nextStep = checkoutTexts.nextStep[order.productType]
  const hasFile = digitalUrl !== null || file !== null
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md gap-6 px-5 pt-6 pb-10">
        <PaymentOutcome order={order} isUnpaid={isUnpaid} orderPath={`/o/${order.token}`} dropPath={dropPath}>
          <div className="grid gap-3">
            <CircleCheck aria-hidden className="size-12 text-good" />
            {image ? (
              <div className="aspect-[2/1] max-h-36 w-full overflow-hidden rounded-card bg-sunken">
                <DropImage image={image} alt={order.dropTitle} sizes="(min-width: 448px) 26rem, 92vw" isHero />
              </div>
            ) : null}
            <OutcomeHeading>{checkoutTexts.successTitle}</OutcomeHeading>
            <p className="text-lg">
              <strong>{order.dropTitle}</strong> is yours. You paid {formatUsd(order.amountCents)}.
            </p>
            {edition ? (
              <p className="tabular font-display text-2xl font-bold">
                {editionText(edition)}
                {editionNote(edition) ? (
                  <span className="block font-sans text-sm font-normal text-muted">{editionNote(edition)}</span>
                ) : null}
              </p>
            ) : null}
            <p className="tabular text-sm text-muted">Confirmation: …{sessionTail(sessionId)}</p>
            {order.buyerEmail ? (
              <p className="wrap-anywhere text-muted">
                We emailed your receipt and order link to <EmailAddress>{order.buyerEmail}</EmailAddress>.
              </p>
            ) : null}
            {nextStep ? <p className="text-muted">{nextStep}</p> : null}
          </div>
          {hasFile ? <OrderFile token={order.token} digitalUrl={digitalUrl} file={file} /> : null}
          <Button asChild variant={hasFile ? 'outline' : 'buy'} size="lg">
            <a href={`/o/${order.token}`}>{checkoutTexts.open[digital === 'key' ? 'key' : 'other']}</a>
          </Button>
          {order.productType === 'service' ? (
            <Button asChild variant="outline">
              <a href={`/o/${order.token}/reminder.ics`}>{orderTexts.bookingReminder}</a>
            </Button>
          ) : null}
          <div className="grid grid-cols-2 gap-2">
            <Button asChild variant="outline">
              <HomeLink toDrops>Continue Shopping</HomeLink>
            </Button>
            <ShareButton title={order.dropTitle} path={dropPath} />
          </div>
        </PaymentOutcome>
        <BuyerLinks />
      </main>
    </>
  )
}
