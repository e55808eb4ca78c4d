'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { News } from '@/components/ui/news'
import { browserTimeZone } from '@/lib/client/browser-time-zone'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import type { OptionView } from '@/lib/drops/view'
import { waitlistTexts } from '@/lib/waitlist/messages'
import type { WaitsFor } from '@/lib/waitlist/rules'
import { joinWaitlistSchema } from '@/lib/waitlist/schema'

type RemindFormProps = {
  identifier: string
  waitsFor: WaitsFor
  /** Whether the drop can be launched again. */
  mayReturn: boolean
  /** The drop's option, if it has one. `chosen` is the value that the buyer chose on the page. */
  option: OptionView | undefined
  chosen: string | null
}

const wishTexts = {
  start: { title: waitlistTexts.remindTitle, text: waitlistTexts.startText },
  unit: { title: waitlistTexts.lineTitle, text: waitlistTexts.lineText },
  relaunch: { title: waitlistTexts.remindTitle, text: waitlistTexts.remindText },
} as const satisfies Record<WaitsFor, { title: string; text: string }>

/**
 * Asks for an email address, so that we can write to it about the start, the next free unit or the relaunch. Like the
 * buy button, the form works without JavaScript.
 */
export function RemindForm({ identifier, waitsFor, mayReturn, option, chosen }: RemindFormProps) {
  /** The values for which the form was sent; an empty string stands for any value, and for a drop without an option. */
  const [sentFor, setSentFor] = useState<string[]>([])
  /** The value that was chosen on the page when the form was last sent, even if the form itself named another value. */
  const [chosenWhenSent, setChosenWhenSent] = useState<string | null>()
  const { control, handleSubmit, formState, setError, setValue } = useForm({
    resolver: zodResolver(joinWaitlistSchema),
    defaultValues: { email: '', option: chosen ?? '' },
  })
  // A press on another chip changes the value that the buyer waits for. The typed email address stays.
  useEffect(() => setValue('option', chosen ?? ''), [setValue, chosen])
  const send = handleSubmit(async (input) => {
    const { email } = input
    const wanted = { email, timezone: browserTimeZone(), ...(option ? { option: input.option } : {}) }
    try {
      await callApi('POST', `/api/drop/${encodeURIComponent(identifier)}/remind`, wanted)
      setSentFor([...sentFor, (option && input.option) || ''])
      setChosenWhenSent(chosen)
    } catch (failure) {
      const field = failure instanceof ApiError && failure.field === 'option' ? 'option' : 'email'
      setError(field, { message: failureText(failure) }, { shouldFocus: true })
    }
  })

  if (chosenWhenSent !== undefined && chosenWhenSent !== chosen) setChosenWhenSent(undefined)
  if (chosenWhenSent !== undefined || sentFor.includes(chosen ?? '')) {
    return (
      <News takesFocus={chosenWhenSent !== undefined}>
        <p className="font-semibold">{waitlistTexts.sentTitle}</p>
        <p className="text-muted">{waitlistTexts.sent}</p>
      </News>
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
        <h3 className="font-bold">{wishTexts[waitsFor].title}</h3>
        <p className="text-sm text-muted">
          {waitsFor === 'unit' && !mayReturn ? waitlistTexts.openLineText : wishTexts[waitsFor].text}
        </p>
      </div>
      {option ? (
        <LabeledField control={control} name="option" id="remind-option" label={option.name}>
          {({ value, ...field }) => (
            <NativeSelect {...field} value={value ?? ''}>
              <option value="">{waitsFor === 'unit' ? 'Choose' : 'Any'}</option>
              {option.values.map((one) => (
                <option key={one.value}>{one.value}</option>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
      ) : null}
      <LabeledField control={control} name="email" id="remind-email" label="Email">
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
      </LabeledField>
      <Button type="submit" isBusy={formState.isSubmitting} className="justify-self-start">
        {waitlistTexts.button}
      </Button>
    </form>
  )
}
