'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { isStoppedUntilReleased } from '@/lib/accounts/rules'
import { PAYOUT_HOLD_LENGTHS, payoutHoldFormSchema } from '@/lib/accounts/schema'
import type { AdminUserView } from '@/lib/admin/view'
import { PlainDate } from './plain-date'

type PayoutHoldProps = { user: AdminUserView; isBusy: boolean; onChange: (patch: { payoutHoldDays: number }) => void }

/**
 * Stops the payouts of a seller for a number of days, or releases them. A suspension alone does not stop them.
 */
export function PayoutHold({ user, isBusy, onChange }: PayoutHoldProps) {
  if (!user.payoutsStoppedUntil) return <HoldForm user={user} isBusy={isBusy} onChange={onChange} />
  return (
    <div className="grid gap-3 rounded-control border p-4">
      <p className="text-sm">
        {isStoppedUntilReleased(user.payoutsStoppedUntil) ? (
          'Payouts on hold until you release them'
        ) : (
          <>
            Payouts on hold until <PlainDate iso={user.payoutsStoppedUntil} />
          </>
        )}
      </p>
      <Button variant="outline" disabled={isBusy} onClick={() => onChange({ payoutHoldDays: 0 })}>
        Release payouts
      </Button>
    </div>
  )
}

function HoldForm({ user, isBusy, onChange }: PayoutHoldProps) {
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(payoutHoldFormSchema),
    defaultValues: { days: '30' as const },
  })
  const hold = handleSubmit(({ days }) => onChange({ payoutHoldDays: Number(days) }))
  return (
    <Disclosure label="Hold payouts">
      <form onSubmit={(event) => void hold(event)} className="grid gap-3 border-t p-4">
        <LabeledField
          control={control}
          name="days"
          id="payout-hold-days"
          label="How long"
          hint={
            user.isDeleted
              ? 'Nothing is sent to the former seller. Refunds still work.'
              : 'The seller keeps selling and sees that payouts are on hold. Refunds still work.'
          }
        >
          {(field) => (
            <NativeSelect {...field}>
              {PAYOUT_HOLD_LENGTHS.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
        <Button type="submit" variant="outlineDestructive" disabled={isBusy}>
          Hold payouts
        </Button>
      </form>
    </Disclosure>
  )
}
