import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { formatDate } from '@/lib/kernel/time'
import type { DelayView } from '@/lib/orders/view'

/**
 * Asks the buyer of a late parcel, or of one for which the seller has named another day, whether to wait or to get the
 * money back (docs/product.md#late-parcels). Both answers are plain forms, which work without JavaScript. Each form
 * sends the day that the buyer was shown.
 */
export function LatePanel({ token, delay }: { token: string; delay: DelayView }) {
  const [missed, until] = [formatDate(delay.missedDay), formatDate(delay.newDay)]
  return (
    <section aria-labelledby="late-title" className="grid gap-3 rounded-card border border-warn bg-warn/8 p-4">
      <h2 id="late-title" className="text-lg font-bold">
        Do you want to wait?
      </h2>
      <p>
        The seller promised to ship by {missed}
        {delay.isProposed ? ` and now asks you to wait until ${until}.` : ", and hasn't marked your order as shipped."}
      </p>
      <div className="grid gap-2">
        <Answer token={token} day={delay.newDay} answer="wait" label={`Wait until ${until}`} />
        <Answer token={token} day={delay.newDay} answer="refund" label="Get a full refund" />
      </div>
      <p className="text-sm text-muted">
        If you don&apos;t answer by <LocalTime iso={delay.answerBy} />, we&apos;ll refund you. If your order ships
        first, nothing is refunded.
      </p>
    </section>
  )
}

function Answer({ token, day, answer, label }: { token: string; day: string; answer: string; label: string }) {
  return (
    <form method="post" action={`/o/${token}/delay`} className="grid">
      <input type="hidden" name="day" value={day} />
      <input type="hidden" name="answer" value={answer} />
      <Button type="submit" variant={answer === 'wait' ? 'default' : 'outline'}>
        {label}
      </Button>
    </form>
  )
}
