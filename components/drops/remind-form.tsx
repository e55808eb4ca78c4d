'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { callApi, failureText } from '@/lib/client/api'
import { waitlistTexts } from '@/lib/waitlist/messages'

type State = { kind: 'idle' | 'busy' | 'sent' } | { kind: 'failed'; text: string }

/**
 * Takes an email address for the next free unit or the relaunch. Like the buy button, the form works without
 * JavaScript.
 */
export function RemindForm({ identifier, waitsFor }: { identifier: string; waitsFor: 'unit' | 'relaunch' }) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const error = state.kind === 'failed' ? state.text : undefined

  useEffect(() => {
    if (state.kind === 'failed') document.getElementById('remind-email')?.focus()
  }, [state])

  async function send(form: HTMLFormElement) {
    setState({ kind: 'busy' })
    try {
      const email = new FormData(form).get('email')
      await callApi('POST', `/api/drop/${encodeURIComponent(identifier)}/remind`, { email })
      setState({ kind: 'sent' })
    } catch (failure) {
      setState({ kind: 'failed', text: failureText(failure) })
    }
  }

  if (state.kind === 'sent') {
    return (
      <div role="status">
        <p className="font-semibold">{waitlistTexts.sentTitle}</p>
        <p className="text-muted">{waitlistTexts.sent}</p>
      </div>
    )
  }
  return (
    <form
      method="post"
      action={`/drop/${identifier}/remind`}
      className="grid gap-3 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (state.kind !== 'busy') void send(event.currentTarget)
      }}
    >
      <div>
        <h3 className="font-bold">{waitsFor === 'unit' ? waitlistTexts.lineTitle : waitlistTexts.remindTitle}</h3>
        <p className="text-sm text-muted">{waitsFor === 'unit' ? waitlistTexts.lineText : waitlistTexts.remindText}</p>
      </div>
      <Field id="remind-email" label="E-mail" error={error}>
        <Input
          id="remind-email"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          inputMode="email"
          enterKeyHint="send"
          aria-invalid={error !== undefined}
          aria-describedby={describedBy('remind-email', { error: error !== undefined })}
        />
      </Field>
      <Button type="submit" disabled={state.kind === 'busy'} className="justify-self-start">
        {waitlistTexts.button}
      </Button>
    </form>
  )
}
