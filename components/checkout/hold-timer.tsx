import { SECOND_MS, splitRemaining } from '@/lib/kernel/time'
import { checkoutTexts } from '@/lib/checkout/messages'

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })

/** Shows "Reserved until 7:05 PM GMT+1" and the time left by the server's clock. */
export function HoldTimer({ expiresAt, second }: { expiresAt: string; second: number }) {
  // `expiresAt` is cut to a whole second, as `second` is. A hold of ten minutes then begins with "10:00" left, and the
  // timer does not outlast the hold.
  const lastSecond = Math.floor(Date.parse(expiresAt) / SECOND_MS)
  const left = lastSecond - second
  const { minutes, seconds } = splitRemaining(left * SECOND_MS)
  return (
    <p className="tabular flex items-baseline justify-between gap-4 rounded-control bg-ember/8 px-4 py-3 text-ember-strong">
      <span className="font-semibold">Reserved until {time.format(new Date(expiresAt))}</span>
      <span role="timer" aria-label="Time left to pay" className="font-bold">
        {minutes}:{String(seconds).padStart(2, '0')}
      </span>
      <span role="status" className="sr-only">
        {left > 0 && left < 60 ? checkoutTexts.lastMinuteToPay : ''}
      </span>
    </p>
  )
}
