'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { Textarea } from '@/components/ui/textarea'
import { SUSPENSION_LENGTHS, suspendFormSchema } from '@/lib/accounts/schema'
import type { AdminUserView } from '@/lib/admin/view'
import { PlainDate } from './plain-date'

type Patch = { isSuspended: boolean; suspensionReason?: string; suspensionDays?: number }

type SuspensionProps = { user: AdminUserView; isBusy: boolean; onChange: (patch: Patch) => void }

/**
 * Suspends an account for a number of days or without an end, or lifts its suspension. A reason is required, because
 * the seller reads it.
 */
export function Suspension({ user, isBusy, onChange }: SuspensionProps) {
  if (!user.isSuspended) return <SuspendForm isBusy={isBusy} onChange={onChange} />
  return (
    <div className="grid gap-3 rounded-control border p-4">
      <p className="text-sm">
        Suspended{' '}
        {user.suspendedUntil ? (
          <>
            until <PlainDate iso={user.suspendedUntil} />
          </>
        ) : (
          'until it is lifted'
        )}
        {user.suspensionReason ? `: ${user.suspensionReason}` : null}
      </p>
      <Button variant="outline" disabled={isBusy} onClick={() => onChange({ isSuspended: false })}>
        Lift suspension
      </Button>
    </div>
  )
}

const suspendDefaults: z.input<typeof suspendFormSchema> = { reason: '', days: '30' }

function SuspendForm({ isBusy, onChange }: Omit<SuspensionProps, 'user'>) {
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(suspendFormSchema),
    defaultValues: suspendDefaults,
  })
  const suspend = handleSubmit(({ reason, days }) =>
    onChange({ isSuspended: true, suspensionReason: reason, ...(days ? { suspensionDays: Number(days) } : {}) }),
  )
  return (
    <Disclosure label="Suspend account">
      <form onSubmit={(event) => void suspend(event)} className="grid gap-3 border-t p-4">
        <LabeledField
          control={control}
          name="reason"
          id="suspension-reason"
          label="Reason"
          hint="The seller sees the reason in an email and when signing in."
        >
          {(field) => <Textarea {...field} required maxLength={500} />}
        </LabeledField>
        <LabeledField control={control} name="days" id="suspension-days" label="How long">
          {(field) => (
            <NativeSelect {...field}>
              {SUSPENSION_LENGTHS.map((days) => (
                <option key={days} value={days}>
                  {days ? `${days} days` : 'Until lifted'}
                </option>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
        <Button type="submit" variant="outlineDestructive" disabled={isBusy}>
          Suspend
        </Button>
      </form>
    </Disclosure>
  )
}
