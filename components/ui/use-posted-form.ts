'use client'

import { type SyntheticEvent, useRef } from 'react'
import { type FieldValues, useForm, type UseFormProps } from 'react-hook-form'

/**
 * Checks a form that the browser posts by itself, so that the form also works without JavaScript. With JavaScript, an
 * invalid form shows its errors at the fields, and the browser posts a valid form as usual.
 */
export function usePostedForm<Values extends FieldValues, Output>(options: UseFormProps<Values, unknown, Output>) {
  const { control, handleSubmit } = useForm<Values, unknown, Output>(options)
  const isChecked = useRef(false)

  function onSubmit(event: SyntheticEvent<HTMLFormElement>) {
    if (isChecked.current) {
      isChecked.current = false
      return
    }
    const form = event.currentTarget
    // The browser ignores requestSubmit() while it still handles the first submit event, so the call waits for the next
    // task.
    const send = () =>
      setTimeout(() => {
        isChecked.current = true
        // submit() would fire no submit event, and UnhydratedForms needs that event to stop a second press.
        form.requestSubmit()
      })
    void handleSubmit(() => void send())(event)
  }

  return { control, onSubmit }
}
