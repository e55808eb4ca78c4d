/**
 * The rules of each plan (docs/product.md#what-each-plan-holds). The application takes the limits, fees and prices of
 * the plans from this file.
 */
import type { UserActor } from '@/lib/kernel/actor'
import type { Plan } from '@/lib/kernel/plan'
import { type ProductType, productTypes } from '@/lib/kernel/product-type'

export type PlanRules = {
  /**
   * The highest number of active drops at a time; Infinity for administrators (docs/product.md#what-each-plan-holds).
   */
  activeDrops: number
  productTypes: readonly ProductType[]
  hasCustomLink: boolean
  hasLiveAnalytics: boolean
  /** The fee in basis points of the amount: 500 is 5 %. */
  feeBps: number
}

const rules = {
  free: { activeDrops: 1, productTypes: ['physical'], hasCustomLink: false, hasLiveAnalytics: false, feeBps: 500 },
  pro: {
    activeDrops: 3,
    productTypes,
    hasCustomLink: true,
    hasLiveAnalytics: true,
    feeBps: 300,
  },
} as const satisfies Record<Plan, PlanRules>

/**
 * The rules that apply to a seller. Administrators may have any number of active drops of every product type, at the
 * fee of Pro.
 */
export function planRules(seller: Pick<UserActor, 'plan' | 'isAdmin'>): PlanRules {
  return seller.isAdmin ? { ...rules.pro, activeDrops: Number.POSITIVE_INFINITY } : rules[seller.plan]
}

export const planLabel = { free: 'Free Plan', pro: 'Pro Plan' } as const

/** The prices as users read them (docs/product.md#price-of-pro). */
export const planPriceText = { free: '$0', pro: '$10 per month or $96 per year' } as const

export type BillingPeriod = 'monthly' | 'yearly'

/** The price of Pro: $10 per month or $96 per year. */
export const proPriceCents: Record<BillingPeriod, number> = { monthly: 1_000, yearly: 9_600 }

/** The texts of the upgrade dialog about yearly billing (docs/product.md#upgrade-dialog). */
export const yearlySavings = { percent: 'Save 20%', dollars: 'Save $24' } as const

/** The features of each plan as users read them (docs/product.md#what-each-plan-holds). */
export const planFeatures = {
  free: ['1 active drop', 'Physical products', 'Basic analytics', 'Standard support', '5% platform fee'],
  pro: [
    '3 active drops',
    'Physical, digital and service products',
    'Advanced analytics',
    'Custom drop URLs',
    'Priority support',
    '3% platform fee',
    '14-day money-back guarantee',
    'Cancel anytime',
  ],
} as const
