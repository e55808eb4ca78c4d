/** What each plan may do (SPEC §6). Pure tables: the one home of limits, fees and prices. */
import type { UserActor } from '@/lib/kernel/actor'
import type { Plan } from '@/lib/kernel/plan'
import { type ProductType, productTypes } from '@/lib/kernel/product-type'

export type PlanRules = {
  /** Infinity: no limit (admins, DECISIONS 44). */
  activeDrops: number
  productTypes: readonly ProductType[]
  hasCustomLink: boolean
  hasLiveAnalytics: boolean
  /** Basis points of the amount: 500 is 5 %. */
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

/** The rules a seller is under; admins sell everything, without a limit, at the pro fee. */
export function planRules(seller: Pick<UserActor, 'plan' | 'isAdmin'>): PlanRules {
  return seller.isAdmin ? { ...rules.pro, activeDrops: Number.POSITIVE_INFINITY } : rules[seller.plan]
}

export const planLabel = { free: 'Free Plan', pro: 'Pro Plan' } as const

/** SPEC §6 and §9. */
export const planPriceText = { free: '$0', pro: '$10 per month or $96 per year' } as const

export type BillingPeriod = 'monthly' | 'yearly'

/** What Pro costs: $10 per month or $96 per year. */
export const proPriceCents: Record<BillingPeriod, number> = { monthly: 1_000, yearly: 9_600 }

/** SPEC §2, Upgrade dialog: "Save 20%", "Save $24". */
export const yearlySavings = { percent: 'Save 20%', dollars: 'Save $24' } as const

/** What each plan holds, in the words of SPEC §6. */
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
