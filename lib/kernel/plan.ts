/** The plans of a seller. lib/plans defines what each plan allows. */
export const plans = ['free', 'pro'] as const

export type Plan = (typeof plans)[number]
