/** What Pro costs (SPEC §6). */

export type BillingPeriod = 'monthly' | 'yearly'

/** $10 per month or $96 per year. */
export const proPriceCents: Record<BillingPeriod, number> = { monthly: 1_000, yearly: 9_600 }

/** SPEC §2, Upgrade dialog: "Save 20%", "Save $24". */
export const yearlySavings = { percent: 'Save 20%', dollars: 'Save $24' } as const
