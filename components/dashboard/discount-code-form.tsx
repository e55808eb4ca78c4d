'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { FormProblem } from '@/components/ui/form-problem'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { codeToasts } from '@/lib/drops/codes/code-messages'
import { discountOf, isChargeable, MAX_CODE_LENGTH } from '@/lib/drops/codes/code-rules'
import { type CodeFormValues, codeFormSchema, toCreateCode } from '@/lib/drops/codes/code-schema'
import type { DiscountCodeView } from '@/lib/drops/codes/code-view'
import type { SellerDropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'

const nothingTyped: CodeFormValues = { code: '', kind: 'percent', off: '', maxUses: '', perBuyer: '', endsAt: '' }

/** Maps a field that the server refuses to the form field that shows the refusal. */
const fields: Record<string, keyof CodeFormValues> = {
  code: 'code',
  percent: 'off',
  offCents: 'off',
  maxUses: 'maxUses',
  perBuyer: 'perBuyer',
  endsAt: 'endsAt',
}

type DiscountCodeFormProps = {
  drop: SellerDropView
  /** The time zone of the seller's settings, in which the end is typed. */
  timezone: string
  onDone: () => void
}

/**
 * Creates a discount code. The discounted price is shown while the seller types, because a code cannot be changed
 * later.
 */
export function DiscountCodeForm({ drop, timezone, onDone }: DiscountCodeFormProps) {
  const { control, handleSubmit, formState, setError, reset } = useForm<CodeFormValues>({
    resolver: zodResolver(codeFormSchema(timezone)),
    defaultValues: nothingTyped,
  })
  const id = (name: string) => `code-${name}-${drop.id}`
  const create = handleSubmit(async (form) => {
    try {
      await callApi<DiscountCodeView>('POST', `/api/drops/${drop.id}/codes`, toCreateCode(form, timezone))
      toast(codeToasts.created)
      reset(nothingTyped)
      onDone()
    } catch (error) {
      const field = error instanceof ApiError ? fields[error.field ?? ''] : undefined
      setError(field ?? 'root', { message: failureText(error) }, { shouldFocus: true })
    }
  })
  return (
    <form noValidate onSubmit={(event) => void create(event)} className="grid gap-4" aria-label="New discount code">
      <h4 className="font-semibold">New code</h4>
      <LabeledField
        control={control}
        name="code"
        id={id('text')}
        label="Code"
        hint="Buyers can type it in any case, like friends or FRIENDS."
      >
        {(field) => (
          <Input
            {...field}
            maxLength={MAX_CODE_LENGTH}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </LabeledField>
      <div className="grid grid-cols-2 items-start gap-3">
        <LabeledField control={control} name="kind" id={id('kind')} label="Discount type">
          {(field) => (
            <NativeSelect {...field}>
              <option value="percent">Percent</option>
              <option value="offCents">US dollars</option>
            </NativeSelect>
          )}
        </LabeledField>
        <LabeledField control={control} name="off" id={id('off')} label="Off each unit">
          {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
        </LabeledField>
      </div>
      <WithCode control={control} priceCents={drop.priceCents} />
      <div className="grid grid-cols-2 items-start gap-3">
        <LabeledField control={control} name="maxUses" id={id('uses')} label="Total orders" optional>
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
        </LabeledField>
        <LabeledField control={control} name="perBuyer" id={id('buyer')} label="Orders per buyer" optional>
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" />}
        </LabeledField>
      </div>
      <LabeledField
        control={control}
        name="endsAt"
        id={id('until')}
        label="Ends"
        hint={`Your time zone is ${timezone.replaceAll('_', ' ')}. Without an end, the code lasts as long as the drop.`}
        optional
      >
        {(field) => <Input {...field} type="datetime-local" />}
      </LabeledField>
      <FormProblem error={formState.errors.root} />
      <Button type="submit" disabled={formState.isSubmitting} className="justify-self-start">
        {formState.isSubmitting ? 'Creating…' : 'Create code'}
      </Button>
    </form>
  )
}

type WithCodeProps = { control: ReturnType<typeof useForm<CodeFormValues>>['control']; priceCents: number }

/** Shows what buyers pay with the code that is being typed. */
function WithCode({ control, priceCents }: WithCodeProps) {
  const form = useWatch({ control })
  const { percent, offCents } = toCreateCode({ ...nothingTyped, ...form, endsAt: '' }, 'UTC')
  const discount = { percent, offCents }
  const isUsable = (percent !== null || offCents !== null) && isChargeable(priceCents, discount)
  return (
    <p role="status" className="tabular -mt-2 text-sm text-muted empty:hidden">
      {isUsable
        ? `Buyers pay ${formatUsd(priceCents - discountOf(priceCents, discount))} instead of ${formatUsd(priceCents)}.`
        : null}
    </p>
  )
}
