import { z } from 'zod/mini'
import { plans } from '@/lib/kernel/plan'
import type { PlanView, SwitchView } from './view'

/** The schemas of this domain's views, for the document of the API (docs/contract.md#document). */

export const planView = z.object({
  plan: z.enum(plans),
  subscription: z.nullable(
    z.object({
      state: z.enum(['active', 'pastDue', 'canceled']),
      billingPeriod: z.enum(['monthly', 'yearly']),
      renewsOn: z.iso.datetime(),
      endsAtPeriodEnd: z.boolean(),
      endsOn: z.nullable(z.iso.datetime()),
      graceUntil: z.nullable(z.iso.datetime()),
      moneyBackUntil: z.nullable(z.iso.datetime()),
    }),
  ),
}) satisfies z.ZodMiniType<PlanView>

export const switchView = z.object({
  todayCents: z.int(),
  creditCents: z.int(),
  renewsOn: z.iso.datetime(),
}) satisfies z.ZodMiniType<SwitchView>
