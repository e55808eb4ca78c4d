import { z } from 'zod/mini'

const billingPeriodSchema = z.enum(['monthly', 'yearly'])

/** SPEC §7, POST /api/create-subscription: the dialog sends both; the subscribe page may send nothing. */
export const createSubscriptionSchema = z.strictObject({
  plan: z._default(z.literal('pro'), 'pro'),
  billingPeriod: z._default(billingPeriodSchema, 'yearly'),
})

export const switchPeriodSchema = z.strictObject({ billingPeriod: billingPeriodSchema })

export const cancelSchema = z.strictObject({ isCanceling: z.boolean() })

export const upgradeSessionSchema = z.string().check(z.regex(/^cs_[A-Za-z0-9_]{8,200}$/))

export const finishUpgradeSchema = z.strictObject({ sessionId: upgradeSessionSchema })
