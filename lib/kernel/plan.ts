/** The plans of a seller; lib/plans says what each of them allows. */
export const plans = ['free', 'pro'] as const

export type Plan = (typeof plans)[number]
