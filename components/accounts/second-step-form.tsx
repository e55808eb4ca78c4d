'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CodeField } from './code-field'
import { useAuthSubmit } from './use-auth-submit'

export function SecondStepForm({ redirectTo }: { redirectTo: string }) {
  const [code, setCode] = useState('')
  const { submit, errors, isSubmitting } = useAuthSubmit({ redirectTo })
  const error = errors.code ?? errors.general
  // The error is cleared before the code is sent again. Otherwise the same error would not move the focus a second
  // time.
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
      <Button type="submit" size="large" isBusy={isSubmitting}>
        {isSubmitting ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  )
}
