import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { ProductType } from '@/lib/kernel/product-type'

/**
 * Stripe's tax codes (docs.stripe.com/tax/tax-codes): the general code of each type of product, and the code of
 * shipping. Sellers do not say more exactly what they sell, so a reduced rate is never applied.
 */
const TAX_CODES = {
  physical: 'txcd_99999999',
  digital: 'txcd_10000000',
  service: 'txcd_20030000',
  shipping: 'txcd_92010001',
} as const satisfies Record<ProductType | 'shipping', string>

/** The parameters of a session that make Stripe Tax calculate the tax. All are empty while it is off. */
export type TaxParams = {
  session: { automatic_tax?: { enabled: true } }
  behavior: { tax_behavior?: 'inclusive' }
  codeOf: (sold: ProductType | 'shipping') => { tax_code?: string }
}

/**
 * Returns what a checkout session says about tax (docs/stripe.md#taxes). The tax is a part of each price, so it never
 * changes what the buyer pays. Without a `liability`, Stripe uses the settings of the platform, which owes the tax.
 */
export function taxParams({ hasStripeTax }: Pick<Context, 'hasStripeTax'>): TaxParams {
  if (!hasStripeTax) return { session: {}, behavior: {}, codeOf: () => ({}) }
  return {
    session: { automatic_tax: { enabled: true } },
    behavior: { tax_behavior: 'inclusive' },
    codeOf: (sold) => ({ tax_code: TAX_CODES[sold] }),
  }
}
