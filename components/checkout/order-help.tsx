import { LocalTime } from '@/components/drops/local-time'
import { orderTexts } from '@/lib/orders/messages'
import type { BuyerOrderView } from '@/lib/orders/view'
import { HelpForm } from './help-form'

type OrderHelpProps = { token: string; request: BuyerOrderView['request']; now: Date }

/**
 * Says whom to write to when the seller's account is closed. This notice replaces the forms that write to the seller.
 */
export function SellerGone() {
  return (
    <p id="help" className="scroll-mt-4 rounded-control bg-sunken px-4 py-3">
      {orderTexts.sellerGone}
    </p>
  )
}

/**
 * Shows the form for a message to the seller and, when a refund can be requested, the form for the request. Both are
 * plain forms, so that they also work without JavaScript.
 */
export function OrderHelp({ token, request, now }: OrderHelpProps) {
  return (
    <section id="help" aria-label="Help with this order" className="grid scroll-mt-4 gap-3">
      {request.declined ? <Declined answer={request.declined.answer} /> : null}
      <HelpForm
        token={token}
        about="message"
        label="Contact the seller"
        hint="We'll email your message to the seller."
      />
      {request.isOpen ? (
        <p className="rounded-control bg-warn/8 px-4 py-3">
          You&apos;ve requested a refund. We&apos;ll email you when the seller decides.
        </p>
      ) : null}
      <AskForRefund token={token} request={request} now={now} />
    </section>
  )
}

function Declined({ answer }: { answer: string }) {
  return (
    <div className="grid gap-1 rounded-control border border-warn bg-warn/8 px-4 py-3">
      <h2 className="font-bold">The seller declined your refund request</h2>
      <p className="break-words whitespace-pre-line">{answer}</p>
      <p className="text-sm text-muted">
        Don&apos;t agree? Message the seller below, and we&apos;ll email them your message.
      </p>
    </div>
  )
}

/**
 * Shows the form for a refund request. After a declined request the buyer has to wait, so the date is shown instead.
 * Shows nothing when no request is possible.
 */
function AskForRefund({ token, request, now }: OrderHelpProps) {
  if (request.askAgainFrom === null) return null
  if (new Date(request.askAgainFrom) > now) {
    return (
      <p className="px-1 text-sm text-muted">
        You can request another refund from <LocalTime iso={request.askAgainFrom} />.
      </p>
    )
  }
  const label = request.declined ? 'Request a refund again' : 'Request a refund'
  return <HelpForm token={token} about="refund" label={label} hint="Tell the seller what's wrong." />
}
