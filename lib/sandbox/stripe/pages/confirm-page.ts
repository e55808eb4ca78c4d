import 'server-only'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { formatUsd } from '@/lib/kernel/money'
import { holdFuse } from './hold-fuse'
import { layout, type Page } from './layout'

/**
 * The page on which the cardholder confirms a payment to the bank or refuses to. Its form sends only this answer,
 * because the attempt to pay that led to this page has stored the card and the buyer's details
 * (`CheckoutPlan.pending`).
 */
export function confirmPage(session: Stripe.Checkout.Session, payUrl: string, now: Date): Page {
  const fuse = holdFuse(session, now)
  const total = formatUsd(session.amount_total ?? 0)
  return layout(
    'Confirm your payment',
    html`<div class="card stack">
      <h1>Confirm your payment</h1>
      <p>Your bank needs to confirm it's you paying <strong class="num">${total} USD</strong>.</p>
      ${fuse?.html ?? ''}
      <form method="post" action="${payUrl}" class="stack">
        <button class="primary" name="confirm" value="true">Approve</button>
        <button class="quiet" name="confirm" value="false">Fail</button>
      </form>
    </div>`,
    fuse?.style,
  )
}
