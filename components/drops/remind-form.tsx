'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { callApi, failureText } from '@/lib/client/call-api'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { joinWaitlistSchema } from '@/lib/waitlist/schema'

/**
 * Takes an email address for the next free unit or the relaunch. Like the buy button, the form works without
 * JavaScript.
 */
export function RemindForm({ identifier, waitsFor }: { identifier: string; waitsFor: 'unit' | 'relaunch' }) {
  const [isSent, setIsSent] = useState(false)
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(joinWaitlistSchema),
    defaultValues: { email: '' },
  })
  const send = handleSubmit(async (input) => {
    try {
      await callApi('POST', `/api/drop/${encodeURIComponent(identifier)}/remind`, input)
      setIsSent(true)
    } catch (failure) {
      setError('email', { message: failureText(failure) }, { shouldFocus: true })
    }
  })

  if (isSent) {
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
      onSubmit={(event) => void send(event)}
    >
      <div>
        <h3 className="font-bold">{waitsFor === 'unit' ? waitlistTexts.lineTitle : waitlistTexts.remindTitle}</h3>
        <p className="text-sm text-muted">{waitsFor === 'unit' ? waitlistTexts.lineText : waitlistTexts.remindText}</p>
      </div>
      <LabelledField control={control} name="email" id="remind-email" label="Email">
        {(field) => (
          <Input
            {...field}
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            inputMode="email"
            enterKeyHint="send"
          />
        )}
      </LabelledField>
      <Button type="submit" disabled={formState.isSubmitting} className="justify-self-start">
        {waitlistTexts.button}
      </Button>
    </form>
  )
}
