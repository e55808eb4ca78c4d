'use client'

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useEffect, useState } from 'react'
import { accountTexts } from '@/lib/accounts/messages'
import type { PasskeyInput } from '@/lib/accounts/passkeys/passkey-schema'
import type { CodeInput, StartTwoFactorInput } from '@/lib/accounts/schema'
import { FormProblem } from '@/components/ui/form-problem'
import { askPasskey } from '@/lib/client/ask-passkey'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { CodeForm } from './code-form'
import { OwnPasswordForm } from './own-password-form'
import { PasskeyButton } from './passkey-button'

/** The actions of a step-up. `startPasskey` returns null for an account without passkeys. */
export type StepUpActions = {
  withCode: ServerAction<CodeInput>
  startPasskey: ServerAction<object, PublicKeyCredentialRequestOptionsJSON | null>
  withPasskey: ServerAction<PasskeyInput>
  /** Set for an account without a second factor, which is asked for its password instead. */
  withPassword?: ServerAction<StartTwoFactorInput>
}

type StepUpFormProps = { actions: StepUpActions; button: string; onDone: () => void; onCancel: () => void }

/** Asks for the second factor again, or for the password if the account has no second factor. */
export function StepUpForm(props: StepUpFormProps) {
  const { actions, ...rest } = props
  if (!actions.withPassword) return <FactorForm {...props} />
  return <OwnPasswordForm id="step-up-password" onSend={actions.withPassword} {...rest} />
}

/** Asks for a passkey, if the account has one, or a code. */
function FactorForm({ actions, button, onDone, onCancel }: StepUpFormProps) {
  const [hasPasskey, setHasPasskey] = useState<boolean | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState('')
  const { startPasskey, withPasskey } = actions
  useEffect(() => {
    if (hasPasskey !== null) return
    // If this call fails, the button is offered anyway, because the account may have passkeys and no authenticator app.
    void callAction(startPasskey, {}).then((outcome) => setHasPasskey(!outcome.ok || outcome.value !== null))
  }, [hasPasskey, startPasskey])

  async function press(): Promise<void> {
    setIsAsking(true)
    setProblem('')
    const refusal = await askAndSend()
    if (refusal === null) return onDone()
    setProblem(refusal)
    setIsAsking(false)
  }

  /**
   * Returns the text of a refusal, or null if the passkey was accepted. Each press uses a new challenge, because a
   * challenge can be answered only once.
   */
  async function askAndSend(): Promise<string | null> {
    const started = await callAction(startPasskey, {})
    if (!started.ok) return started.error
    if (started.value === null) return accountTexts.passkeyRefused
    const asked = await askPasskey(started.value)
    if (!asked.ok) return asked.text
    const outcome = await callAction(withPasskey, { credential: asked.credential })
    return outcome.ok ? null : outcome.error
  }

  return (
    <div className="grid gap-4">
      {hasPasskey ? (
        <div className="grid gap-2">
          <PasskeyButton disabled={isAsking} onClick={() => void press()}>
            Use a passkey
          </PasskeyButton>
          <FormProblem error={problem ? { message: problem } : undefined} />
        </div>
      ) : null}
      <CodeForm
        label={hasPasskey ? 'Or a code from your app, or a recovery code' : 'A code from your app, or a recovery code'}
        button={button}
        onSend={actions.withCode}
        onDone={onDone}
        onCancel={onCancel}
      />
    </div>
  )
}
