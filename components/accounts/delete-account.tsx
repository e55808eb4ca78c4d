'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { FormProblem } from '@/components/ui/form-problem'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { type DeleteAccountInput, deleteAccountSchema } from '@/lib/accounts/schema'
import { callAction } from '@/lib/client/call-action'
import { forgetThisBrowser } from '@/lib/client/forget-this-browser'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { PasswordField } from './password-field'
import { type StepUpActions, StepUpForm } from './step-up-form'

type DeleteAccountProps = {
  username: string
  action: ServerAction<DeleteAccountInput>
  stepUp: StepUpActions
}

export function DeleteAccount(props: DeleteAccountProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section id="delete" className="grid gap-3">
      <h2 className="text-2xl font-bold">Delete my account</h2>
      <p className="text-muted">
        Your drops end, your profile disappears, and your personal data is removed. Order records are kept without your
        name. This can&apos;t be undone.
      </p>
      <Button variant="outlineDestructive" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Delete my account
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogSheet title="Delete your account?" description="This can't be undone.">
          <DeleteForm {...props} />
        </DialogSheet>
      </Dialog>
    </section>
  )
}

function DeleteForm({ username, action, stepUp }: DeleteAccountProps) {
  const [needsProof, setNeedsProof] = useState(false)
  const { control, handleSubmit, formState, setError } = useForm<DeleteAccountInput>({
    resolver: zodResolver(deleteAccountSchema),
    defaultValues: { username: '', password: '' },
  })
  const remove = handleSubmit(async (input) => {
    const outcome = await callAction(action, input)
    if (outcome.ok) {
      await forgetThisBrowser()
      window.location.assign(window.location.origin)
      return
    }
    if (outcome.code === 'STEP_UP_REQUIRED') return setNeedsProof(true)
    const field = outcome.field === 'username' || outcome.field === 'password' ? outcome.field : 'root'
    setError(field, { message: outcome.error }, { shouldFocus: true })
  })
  if (needsProof) {
    return (
      <StepUpForm
        actions={stepUp}
        button="Continue"
        onDone={() => void remove().then(() => setNeedsProof(false))}
        onCancel={() => setNeedsProof(false)}
      />
    )
  }
  return (
    <form noValidate onSubmit={(event) => void remove(event)} className="grid gap-4">
      <FormProblem error={formState.errors.root} takesFocus />
      <LabeledField control={control} name="username" id="delete-username" label={`Type ${username} to confirm`}>
        {(field) => <Input {...field} autoComplete="off" autoCapitalize="none" spellCheck={false} />}
      </LabeledField>
      <PasswordField control={control} name="password" id="delete-password" autoComplete="current-password" />
      <Button type="submit" variant="destructive" isBusy={formState.isSubmitting}>
        {formState.isSubmitting ? 'Deleting…' : 'Delete permanently'}
      </Button>
    </form>
  )
}
