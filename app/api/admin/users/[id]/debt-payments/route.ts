import { idParams } from '@/lib/admin/schema'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { recordDebtPayment } from '@/lib/payouts/record-debt-payment'
import { debtPaymentSchema } from '@/lib/payouts/schema'

export const POST = route({
  who: 'admin',
  params: idParams,
  input: json(debtPaymentSchema),
  run: async (ctx, input, { id }) => ok(await recordDebtPayment(ctx, id, input)),
})
