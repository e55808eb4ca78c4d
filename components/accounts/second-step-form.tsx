'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { type CodeInput, codeSchema } from '@/lib/accounts/schema'
import { useAuthSubmit } from './use-auth-submit'
import { CodeField } from './code-field'

type SecondStepFormProps = { redirectTo: string; label: string }

export function SecondStepForm({ redirectTo, label }: SecondStepFormProps) {
  const { submit, isLeaving } = useAuthSubmit({ redirectTo })
  const { control, handleSubmit, formState, setError } = useForm<CodeInput>({
    resolver: zodResolver(codeSchema),
    defaultValues: { code: '' },
    reValidateMode: 'onSubmit',
  })
  const isBusy = formState.isSubmitting || isLeaving
  const send = handleSubmit(async (input) => {
    const refused = await submit('two-factor', input)
    // The code is the only field, so it also shows a refusal of the whole login.
    if (refused) setError('code', { message: refused.code ?? refused.general }, { shouldFocus: true })
  })
  return (
    <form method="post" noValidate className="grid gap-5" onSubmit={(event) => void send(event)}>
      <CodeField control={control} name="code" id="code" label={label} />
      <Button type="submit" size="lg" isBusy={isBusy}>
        {isBusy ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  )
}
