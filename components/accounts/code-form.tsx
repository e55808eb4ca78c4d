'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { CodeInput } from '@/lib/accounts/schema'
import { callAction } from '@/lib/client/call-action'
import { useRefusal } from '@/lib/client/use-refusal'
import { CodeField } from './code-field'

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; error: string }

type CodeFormProps<Value> = {
  label: string
  button: string
  onSend: (input: CodeInput) => Promise<Outcome<Value>>
  onDone: (value: Value) => void
  onCancel: () => void
}

/** Asks for one code; a wrong one says so at the field. */
export function CodeForm<Value>({ label, button, onSend, onDone, onCancel }: CodeFormProps<Value>) {
  const id = useId()
  const [code, setCode] = useState('')
  const [error, setError] = useRefusal(id)
  const [isSending, setIsSending] = useState(false)

  async function send() {
    setIsSending(true)
    setError(null)
    const outcome = await callAction(onSend, { code })
    setIsSending(false)
    if (outcome.ok) onDone(outcome.value)
    else setError(outcome.error)
  }

  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) void send()
      }}
    >
      <CodeField id={id} label={label} value={code} onChange={setCode} error={error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={isSending}>
          {button}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
