'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { trustTexts } from '@/lib/trust/messages'
import { type AppealInput, appealSchema } from '@/lib/trust/schema'

export function AppealForm({ onSend }: { onSend: ServerAction<AppealInput> }) {
  const { control, handleSubmit, formState, setError } = useForm<AppealInput>({
    resolver: zodResolver(appealSchema),
    defaultValues: { text: '' },
  })
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(onSend, input)
    if (!outcome.ok) setError('text', { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <form method="post" noValidate onSubmit={(event) => void send(event)} className="grid gap-4">
      <LabeledField
        control={control}
        name="text"
        id="appeal"
        label={trustTexts.appealQuestion}
        hint={trustTexts.appealHint}
      >
        {(field) => <Textarea {...field} maxLength={2_000} />}
      </LabeledField>
      <Button type="submit" isBusy={formState.isSubmitting}>
        {trustTexts.appealButton}
      </Button>
    </form>
  )
}
