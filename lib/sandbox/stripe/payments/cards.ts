import 'server-only'
import { createHash } from 'node:crypto'

export type CardOutcome =
  | 'pays'
  | 'declined'
  | 'lacks-funds'
  | 'asks-first'
  | 'disputed'
  | 'inquired'
  | 'disputed-twice'
  | 'fails-later'
  | 'refund-pending'
  | 'refund-fails'
  | 'skips-pending'
  | 'not-a-test-card'

export type TestCard = { number: string; outcome: CardOutcome; token: string; hint: string }

/**
 * The test cards (docs/contract.md#test-cards). `token` is the id of the ready-made payment method that Stripe has for
 * the card.
 */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'pays', token: 'pm_card_visa', hint: 'pays' },
  { number: '4000000000000002', outcome: 'declined', token: 'pm_card_visa_chargeDeclined', hint: 'is declined' },
  {
    number: '4000000000009995',
    outcome: 'lacks-funds',
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    hint: 'lacks funds',
  },
  {
    number: '4000000000003220',
    outcome: 'asks-first',
    token: 'pm_card_threeDSecure2Required',
    hint: 'asks for confirmation first',
  },
  { number: '4000000000000259', outcome: 'disputed', token: 'pm_card_createDispute', hint: 'pays and is disputed' },
  {
    number: '4000000000000341',
    outcome: 'fails-later',
    token: 'pm_card_chargeCustomerFail',
    hint: 'pays now, fails when a plan renews',
  },
  {
    number: '4000000000001976',
    outcome: 'inquired',
    token: 'pm_card_createDisputeInquiry',
    hint: 'pays, and its bank only asks about it',
  },
  {
    number: '4000000404000079',
    outcome: 'disputed-twice',
    token: 'pm_card_createMultipleDisputes',
    hint: 'pays and is disputed twice, in parts',
  },
  {
    number: '4000000000007726',
    outcome: 'refund-pending',
    token: 'pm_card_pendingRefund',
    hint: 'pays, and a refund is pending at first',
  },
  {
    number: '4000000000005126',
    outcome: 'refund-fails',
    token: 'pm_card_refundFail',
    hint: 'pays, and a refund succeeds at first and fails later',
  },
  {
    number: '4000000000000077',
    outcome: 'skips-pending',
    token: 'pm_card_bypassPending',
    hint: 'pays, and its money is available right away',
  },
]

/** "4242424242424242" → "4242 4242 4242 4242". */
export function formatCardNumber(digits: string): string {
  return digits.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/**
 * Reads the digits of a typed card number, which may contain spaces and hyphens; null when no card can have that
 * number.
 */
export function readCardNumber(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) return null
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0 ? digits : null
}

/**
 * Identifies a card, like Stripe's fingerprint. It also determines how a stored card behaves (outcomeOf()), so no card
 * number has to be stored.
 */
export function fingerprintOf(digits: string): string {
  return createHash('sha256').update(`sandbox-card:${digits}`).digest('hex').slice(0, 16)
}

/** Returns the brand of a card by the first digits of its number, in Stripe's spelling. */
export function brandOf(digits: string): string {
  if (digits.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  return /^3[47]/.test(digits) ? 'amex' : 'unknown'
}

/** Returns how a stored card behaves. A fingerprint that belongs to no test card gives 'not-a-test-card'. */
export function outcomeOf(fingerprint: string | null | undefined): CardOutcome {
  return TEST_CARDS.find((card) => fingerprintOf(card.number) === fingerprint)?.outcome ?? 'not-a-test-card'
}

export type Decline = { code: string; decline_code: string; message: string }

/** Why the bank declines a card with this outcome; null when it does not decline the card. */
export function declineOf(outcome: CardOutcome): Decline | null {
  switch (outcome) {
    case 'declined':
      return { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' }
    case 'lacks-funds':
      return { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' }
    case 'not-a-test-card':
      return {
        code: 'card_declined',
        decline_code: 'test_mode_live_card',
        message:
          'Your card was declined. This is a sandbox: use one of the test cards, for example 4242 4242 4242 4242.',
      }
    default:
      return null
  }
}
