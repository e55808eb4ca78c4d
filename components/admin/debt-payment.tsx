'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useStepUp } from '@/components/accounts/step-up-provider'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { toast } from '@/lib/client/toast-store'
import { formatUsd, toDecimal } from '@/lib/kernel/money'
import { debtPaymentTexts } from '@/lib/payouts/messages'
import { debtPaymentFormSchema } from '@/lib/payouts/schema'
import type { DebtPaymentView } from '@/lib/payouts/view'
import { adminKeys } from './admin-keys'
import { useUserDetail } from './use-user-detail'

/**
 * Says what a seller owes, and records what the seller paid back by bank transfer. Shows nothing for a seller who owes
 * nothing (docs/product.md#what-a-seller-owes).
 */
export function DebtPayment({ userId }: { userId: number }) {
  const { data } = useUserDetail(userId)
  if (!data || data.debtCents === 0) return null
  return (
    <div className="grid gap-3">
      <p className="text-sm">{debtPaymentTexts.owes(formatUsd(data.debtCents))}</p>
      <Disclosure label="Record a repayment">
        <DebtPaymentForm key={data.debtCents} userId={userId} debtCents={data.debtCents} />
      </Disclosure>
    </div>
  )
}

function DebtPaymentForm({ userId, debtCents }: { userId: number; debtCents: number }) {
  const queryClient = useQueryClient()
  const stepUp = useStepUp()
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(debtPaymentFormSchema),
    defaultValues: { amount: toDecimal(debtCents), reference: '' },
  })

  const send = handleSubmit(async ({ amount, reference }) => {
    try {
      const { recordedBefore } = await stepUp(() =>
        callApi<DebtPaymentView>('POST', `/${adminKeys.users.join('/')}/${userId}/debt-payments`, {
          amountCents: amount,
          reference,
        }),
      )
      if (recordedBefore) {
        const message = debtPaymentTexts.recordedBefore(new Date(recordedBefore))
        return setError('reference', { message }, { shouldFocus: true })
      }
      toast({ ...debtPaymentTexts.recorded, description: formatUsd(amount) })
      await refreshQueries(queryClient, adminKeys.users)
    } catch (error) {
      const field = error instanceof ApiError && error.field === 'reference' ? 'reference' : 'amount'
      setError(field, { message: failureText(error) }, { shouldFocus: true })
    }
  })

  return (
    <div className="grid gap-3 border-t p-4">
      <p className="text-sm text-muted">{debtPaymentTexts.explain}</p>
      <LabeledField control={control} name="amount" id="debt-amount" label="Amount in USD">
        {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
      </LabeledField>
      <LabeledField control={control} name="reference" id="debt-reference" label="Payment reference">
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </LabeledField>
      {/* Only a press of this button records the payment; the Enter key in a field does not. */}
      <Button variant="outline" isBusy={formState.isSubmitting} onClick={() => void send()}>
        Record repayment
      </Button>
    </div>
  )
}
