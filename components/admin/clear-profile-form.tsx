'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from 'next/navigation'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { trustTexts } from '@/lib/trust/messages'
import { type ClearProfileInput, clearProfileFormSchema } from '@/lib/trust/schema'

type ClearProfileFormProps = { userId: number; onClear: ServerAction<ClearProfileInput> }

/** Removes what a seller has written on the public profile. The reason is required because the seller reads it. */
export function ClearProfileForm({ userId, onClear }: ClearProfileFormProps) {
  const router = useRouter()
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(clearProfileFormSchema),
    defaultValues: { reason: '' },
  })
  const clear = handleSubmit(async ({ reason }) => {
    const outcome = await callAction(onClear, { userId, reason })
    if (!outcome.ok) return setError('reason', { message: outcome.error }, { shouldFocus: true })
    toast({ title: 'Profile text removed' })
    router.refresh()
  })
  const id = `clear-profile-${userId}`
  return (
    <Disclosure label="Remove the text and links">
      <form noValidate onSubmit={(event) => void clear(event)} className="grid gap-3 border-t p-4">
        <LabeledField control={control} name="reason" id={id} label="Reason" hint={trustTexts.clearHint}>
          {(field) => <Textarea {...field} required />}
        </LabeledField>
        <Button type="submit" variant="outlineDestructive" isBusy={formState.isSubmitting}>
          Remove and email the seller
        </Button>
      </form>
    </Disclosure>
  )
}
