import { formatUsd } from '@/lib/kernel/money'

export type TaxText = { label: string; value: (taxCents: number) => string }

/** The lines about the tax that Stripe Tax found in the price of an order (docs/stripe.md#taxes). */
export const taxTexts = {
  /** What buyers read below the total. */
  included: { label: 'Tax, included', value: formatUsd },
  /** What sellers read below the platform fee. */
  withheld: { label: 'Tax, paid by us', value: (taxCents: number) => `−${formatUsd(taxCents)}` },
  /** The line of a sum in which the fee and the tax are one amount. */
  feeAndTax: 'Platform fee and tax',
} as const satisfies Record<string, TaxText | string>
