'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { describedBy, Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { AdminUserView } from '@/lib/admin/view'
import { PlainDate } from './plain-date'

type Patch = { isSuspended: boolean; suspensionReason?: string; suspensionDays?: number }

type SuspensionProps = { user: AdminUserView; isBusy: boolean; onChange: (patch: Patch) => void }

/** Suspends with a reason and an end, or lifts. The seller reads the reason, so it has to be said. */
export function Suspension({ user, isBusy, onChange }: SuspensionProps) {
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('30')
  const [problem, setProblem] = useState<string>()
  if (user.isSuspended) {
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!reason.trim()) return setProblem('Say why: the seller reads it.')
    onChange({ isSuspended: true, suspensionReason: reason.trim(), ...(days ? { suspensionDays: Number(days) } : {}) })
  }
  return (
    <Disclosure label="Suspend account">
      <form onSubmit={submit} className="grid gap-3 border-t p-4">
        <Field
          id="suspension-reason"
          label="Reason"
          hint="The seller reads it, in a mail and when logging in."
          error={problem}
        >
          <Textarea
            id="suspension-reason"
            required
            maxLength={500}

            aria-invalid={problem ? true : undefined}
            aria-describedby={describedBy('suspension-reason', { hint: true, error: Boolean(problem) })}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Field id="suspension-days" label="How long">
          <Select id="suspension-days" value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="7">7 days</option>
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="">Until it is lifted</option>
          </Select>
        </Field>
        <Button type="submit" variant="outlineDestructive" disabled={isBusy}>
          Suspend
        </Button>
      </form>
    </Disclosure>
  )
}
