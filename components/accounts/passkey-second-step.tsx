'use client'

import { useState } from 'react'
import { FormProblem } from '@/components/ui/form-problem'
import { askPasskey, requestPasskeyOptions } from '@/lib/client/ask-passkey'
import { failureText } from '@/lib/client/call-api'
import { PasskeyButton } from './passkey-button'
import { useAuthSubmit } from './use-auth-submit'

/** Lets a person use a passkey as the second step of a login. */
export function PasskeySecondStep({ redirectTo }: { redirectTo: string }) {
  const { submit, isLeaving } = useAuthSubmit({ redirectTo })
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState('')

  async function press(): Promise<void> {
    setIsAsking(true)
    setProblem('')
    try {
      const asked = await askPasskey(await requestPasskeyOptions('secondStep'))
      const refused = asked.ok ? await submit('passkey', { credential: asked.credential }) : { general: asked.text }
      if (refused) setProblem(Object.values(refused)[0] ?? '')
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setIsAsking(false)
    }
  }

  return (
    <div className="grid gap-3">
      <PasskeyButton size="lg" disabled={isAsking || isLeaving} onClick={() => void press()}>
        {isLeaving ? 'Signing In...' : 'Use your passkey'}
      </PasskeyButton>
      <FormProblem error={problem ? { message: problem } : undefined} />
    </div>
  )
}
