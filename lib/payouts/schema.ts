import { proofSchema } from '@/lib/accounts/schema'
import { z } from 'zod/mini'
import { PAYOUT_COUNTRIES } from './rules'

/**
 * The body of POST /api/payouts/connect (docs/contract.md). The country is used only when the connected account is
 * created, because Stripe never changes it.
 */
export const connectPayoutsSchema = z.extend(proofSchema, { country: z.optional(z.enum(PAYOUT_COUNTRIES)) })

export type ConnectPayoutsInput = z.infer<typeof connectPayoutsSchema>
