'use client'

import { type FormEvent, useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { describedBy, Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { callAction } from '@/lib/client/call-action'
import { useRefusal } from '@/lib/client/use-refusal'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import type { AppealInput } from '@/lib/trust/schema'

export function AppealForm({ onSend }: { onSend: ServerAction<AppealInput> }) {
  const [text, setText] = useState('')
  const [error, setError] = useRefusal('appeal')
  const [isPending, startTransition] = useTransition()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    startTransition(async () => {
      const outcome = await callAction(onSend, { text })
      if (!outcome.ok) setError(outcome.error)
    })
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <Field id="appeal" label="Why is this a mistake?" error={error}>
        <Textarea
          id="appeal"
          maxLength={2_000}
          aria-invalid={Boolean(error)}
          aria-describedby={describedBy('appeal', { error: Boolean(error) })}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" isBusy={isPending}>
        Send appeal
      </Button>
    </form>
  )
}
