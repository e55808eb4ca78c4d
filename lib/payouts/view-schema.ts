import { z } from 'zod/mini'
import type { DebtPaymentView } from './view'

/** The schemas of this folder's views, for the OpenAPI document (docs/contract.md#document). */

export const debtPaymentView = z.object({
  debtCents: z.int(),
  recordedBefore: z.nullable(z.iso.datetime()),
}) satisfies z.ZodMiniType<DebtPaymentView>
