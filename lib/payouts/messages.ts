import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import type { PayoutsState } from './rules'

const payoutErrors = {
  PAYMENTS_OFF: { status: 503, text: 'Payouts are not configured yet.' },
  STRIPE_AWAY: { status: 503, text: "Our payment provider isn't responding. Please try again in a moment." },
} as const satisfies ErrorTable

export const payoutError = /* @__PURE__ */ errorsFrom(payoutErrors)

/**
 * Each state says how far the seller's payouts are set up and what the next step is (docs/product.md#payout-states).
 */
export const payoutStateTexts: Record<PayoutsState, { label: string; text: string; button: string | null }> = {
  notStarted: {
    label: 'Not connected',
    text: "You can sell right away. We'll hold your payouts here until you connect a bank account.",
    button: 'Connect payouts',
  },
  incomplete: {
    label: 'Incomplete',
    text: "We still need some details before we can pay you. We'll hold your payouts until then.",
    button: 'Continue',
  },
  review: {
    label: 'Under review',
    text: "Your details are being reviewed, usually within a day. There's nothing to do: we'll send your payouts when the review is done.",
    button: null,
  },
  paused: {
    label: 'Paused',
    text: "Stripe paused your payouts because it needs more information. You can keep selling. We'll hold your payouts until then.",
    button: 'See what is needed',
  },
  ready: {
    label: 'Ready',
    text: 'Payouts are automatic: physical orders when you ship them or after 7 days, everything else right away.',
    button: 'See your balance',
  },
  disconnected: {
    label: 'Disconnected',
    text: "Your Stripe account is no longer connected to us, so we can't send you payouts. You can keep selling. We'll hold your payouts until you connect again.",
    button: 'Connect again',
  },
}
