import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import type { PayoutsState } from './rules'

const payoutErrors = {
  PAYMENTS_OFF: { status: 503, text: 'Payouts are not configured yet.' },
  STRIPE_AWAY: { status: 503, text: 'Our payment provider does not answer. Please try again in a moment.' },
} as const satisfies ErrorTable

export const payoutError = /* @__PURE__ */ errorsFrom(payoutErrors)

/**
 * Each state says how far the seller's payouts are set up and what the next step is (docs/product.md#payout-states).
 */
export const payoutStateTexts: Record<PayoutsState, { label: string; text: string; button: string | null }> = {
  notStarted: {
    label: 'Not connected',
    text: 'You can sell right away. Your share waits here until you connect payouts.',
    button: 'Connect payouts',
  },
  incomplete: {
    label: 'Incomplete',
    text: 'Something is still missing before money can be sent to you. Your share waits here.',
    button: 'Continue',
  },
  review: {
    label: 'Under review',
    text: 'Your details are being reviewed, usually within a day. Nothing to do: your share is sent when it is done.',
    button: null,
  },
  paused: {
    label: 'Paused',
    text: 'Stripe has paused your payouts until it gets what it asks for. You can go on selling; your share waits here.',
    button: 'See what is needed',
  },
  ready: {
    label: 'Ready',
    text: 'Money is sent by itself: physical drops when shipped or after 7 days, everything else at once.',
    button: 'See your balance',
  },
  disconnected: {
    label: 'Disconnected',
    text: 'Stripe says that your account is no longer connected to us, so nothing can be sent to it. You can go on selling; your share waits here until you connect again.',
    button: 'Connect again',
  },
}
