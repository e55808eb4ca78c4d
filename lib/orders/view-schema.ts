import { z } from 'zod/mini'
import { plans } from '@/lib/kernel/plan'
import type { OrderSummaryView } from './view'

/** The schemas of the views of this domain, for the API's document (docs/contract.md#document). */

export const orderSummaryView = z.object({
  amount: z.string(),
  platformFee: z.string(),
  platformFeePercentage: z.number(),
  sellerPayout: z.string(),
  sellerPlan: z.enum([...plans, 'admin']),
}) satisfies z.ZodMiniType<OrderSummaryView>
