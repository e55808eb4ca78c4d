'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useAuthSubmit } from '@/lib/client/use-auth-submit'
import { CodeField } from './code-field'

export function SecondStepForm({ redirectTo }: { redirectTo: string }) {
  const [code, setCode] = useState('')
  const { submit, errors, isSubmitting } = useAuthSubmit({ redirectTo })
  const error = errors.code ?? errors.general
  // Taken away when it is sent again, so that the same refusal takes the focus again.
  useEffect(() => {
    if (error) document.getElementById('code')?.focus()
  }, [error])
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSubmitting) void submit('two-factor', { code })
      }}
    >
      <CodeField id="code" value={code} onChange={setCode} error={error} />
      <Button type="submit" size="lg" isBusy={isSubmitting}>
        {isSubmitting ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  )
}
