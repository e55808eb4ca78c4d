'use client'

import { type SyntheticEvent, useRef } from 'react'
import { type FieldValues, useForm, type UseFormProps } from 'react-hook-form'

/**
 * For a form that the browser posts by itself, so that it works without JavaScript. With JavaScript the form is
 * checked first, and problems are shown at their fields; a valid form is then posted by the browser as usual.
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
    // The browser ignores requestSubmit() while it still handles the first submit event, so this waits for the next task.
    const send = () =>
      setTimeout(() => {
        isChecked.current = true
        // submit() would fire no event, and EarlyForms could not stop a second press.
        form.requestSubmit()
      })
    void handleSubmit(() => void send())(event)
  }

  return { control, onSubmit }
}
