'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { callApi, failureText } from '@/lib/client/call-api'
import { orderTexts } from '@/lib/orders/messages'
import { type FindOrderInput, findOrderSchema } from '@/lib/orders/schema'

/**
 * Lets buyers request an email with the links to their orders. The response does not reveal whether the email address
 * has orders.
 */
export function FindOrder({ isSent }: { isSent: boolean }) {
  const [answer, setAnswer] = useState<string | null>(isSent ? orderTexts.linksSent : null)
  const { control, handleSubmit, formState, setError } = useForm<FindOrderInput>({
    resolver: zodResolver(findOrderSchema),
    defaultValues: { email: '' },
  })
  const send = handleSubmit(async (input) => {
    try {
      const { message } = await callApi<{ message: string }>('POST', '/api/find-order', input)
      setAnswer(message)
    } catch (error) {
      setAnswer(null)
      setError('email', { message: failureText(error) })
    }
  })
  return (
    <div className="grid gap-4">
      {/* The container stays, so that screen readers announce the text that is put into it. */}
      <div role="status" className="rounded-control bg-good/8 px-4 py-3 text-good empty:sr-only">
        {answer}
      </div>
      <form
        method="post"
        action="/find-order/send"
        onSubmit={(event) => void send(event)}
        noValidate
        className="grid gap-4"
      >
        <LabeledField control={control} name="email" id="find-email" label="Email">
          {(field) => <Input {...field} type="email" inputMode="email" autoComplete="email" enterKeyHint="send" />}
        </LabeledField>
        <Button type="submit" size="lg" isBusy={formState.isSubmitting}>
          Send the links
        </Button>
      </form>
    </div>
  )
}
