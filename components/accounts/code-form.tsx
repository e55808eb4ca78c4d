'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { type CodeInput, codeSchema } from '@/lib/accounts/schema'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { CodeField } from './code-field'

type CodeFormProps<Value> = {
  label: string
  button: string
  onSend: ServerAction<CodeInput, Value>
  onDone: (value: Value) => void
  onCancel: () => void
}

/** Asks for one second-factor code, and shows a refusal at the field. */
export function CodeForm<Value>({ label, button, onSend, onDone, onCancel }: CodeFormProps<Value>) {
  const id = useId()
  const { control, handleSubmit, formState, setError } = useForm<CodeInput>({
    resolver: zodResolver(codeSchema),
    defaultValues: { code: '' },
  })
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(onSend, input)
    if (outcome.ok) onDone(outcome.value)
    else setError('code', { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void send(event)}>
      <CodeField control={control} name="code" id={id} label={label} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={formState.isSubmitting}>
          {button}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
