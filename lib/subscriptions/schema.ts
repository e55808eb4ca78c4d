import { z } from 'zod/mini'

const billingPeriodSchema = z.enum(['monthly', 'yearly'])

/**
 * The body of POST /api/create-subscription (docs/contract.md#calls-about-pro). The dialog sends both fields. The
 * subscribe page may send neither.
 */
export const createSubscriptionSchema = z.strictObject({
  plan: z._default(z.literal('pro'), 'pro'),
  billingPeriod: z._default(billingPeriodSchema, 'yearly'),
})

/** The query of GET /api/subscription/switch. Other parameters, such as utm_source, are ignored. */
export const previewSwitchSchema = z.object({ billingPeriod: billingPeriodSchema })

/**
 * `todayCents` is the amount of the preview that the seller has confirmed. Our screens always send it. A program that
 * leaves it out agrees to whatever Stripe charges.
 */
export const switchPeriodSchema = z.strictObject({
  billingPeriod: billingPeriodSchema,
  todayCents: z.optional(z.int().check(z.nonnegative())),
})

export const cancelSchema = z.strictObject({ isCanceling: z.boolean() })

export const upgradeSessionSchema = z.string().check(z.regex(/^cs_[A-Za-z0-9_]{8,200}$/))

export const finishUpgradeSchema = z.strictObject({ sessionId: upgradeSessionSchema })
