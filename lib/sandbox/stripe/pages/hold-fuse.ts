import 'server-only'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { unixSeconds } from '../ids'
import type { Html } from './layout'

const MINUTE_SECONDS = 60

/** A fuse, and the style with its times, which depend on the request. */
export type HoldFuse = { html: Html; style: string }

/**
 * Draws the time that is left to pay as a fuse that burns down. The page has no script, so CSS animations shorten the
 * fuse and count the minutes. Both start at the point that they would have reached by now. Readers who prefer reduced
 * motion see the fuse shorten once a minute.
 * @returns null for a session that holds no units, such as one for a subscription
 */
export function holdFuse({ created, metadata }: Stripe.Checkout.Session, now: Date): HoldFuse | null {
  // The application writes the end of the hold into the session's metadata, because Stripe keeps a session open for
  // longer than a contested hold lasts.
  const end = Number(metadata?.reservedUntil)
  if (!Number.isSafeInteger(end) || end <= created) return null
  const left = Math.max(0, end - unixSeconds(now))
  const minutes = Math.ceil(left / MINUTE_SECONDS)
  const lines = [...Array.from({ length: minutes }, (_, at) => minuteText(minutes - 1 - at)), "time's up"]
  return {
    html: html`<div class="fuse">
      <div class="time">
        <span>Time left to pay</span>
        <span class="unseen">${lines[0]}, when this page opened</span>
        <span class="minutes num" aria-hidden="true">${lines.map((line) => html`<span>${line}</span>`)}</span>
      </div>
      <div class="track" aria-hidden="true"><div class="burn"></div></div>
    </div>`,
    style: styleOf(left, minutes, end - created),
  }
}

function minuteText(minutes: number): string {
  return minutes === 0 ? 'less than 1 min' : `${minutes} min`
}

function styleOf(left: number, minutes: number, total: number): string {
  const stripe = Math.max(1, minutes) * MINUTE_SECONDS
  return `
.minutes{--minutes:${minutes}}
.minutes span{animation-duration:${stripe}s;animation-delay:${left - stripe}s;animation-timing-function:steps(${Math.max(1, minutes)})}
.burn{animation-duration:${total}s;animation-delay:${left - total}s}
@media (prefers-reduced-motion:reduce){.burn{animation-timing-function:steps(${Math.ceil(total / MINUTE_SECONDS)})}.burn::after{content:none}}
`
}
