'use client'

import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod/mini'
import { Card } from '@/components/ui/card'
import { FormProblem } from '@/components/ui/form-problem'
import { accountToasts } from '@/lib/accounts/messages'
import type { AddPasskeyInput, RemovePasskeyInput, RenamePasskeyInput } from '@/lib/accounts/passkeys/passkey-schema'
import { MAX_PASSKEYS } from '@/lib/accounts/rules'
import type { proofSchema } from '@/lib/accounts/schema'
import type { PasskeyView } from '@/lib/accounts/view'
import { makePasskey } from '@/lib/client/ask-passkey'
import { failureText } from '@/lib/client/call-api'
import { callAction } from '@/lib/client/call-action'
import { callGuardedAction } from '@/lib/client/call-guarded-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { OwnPasswordForm } from './own-password-form'
import { PasskeyButton } from './passkey-button'
import { PasskeyRow } from './passkey-row'
import { RecoveryCodes } from './recovery-codes'
import { useStepUp } from './step-up-provider'

type PasskeySectionProps = {
  passkeys: PasskeyView[]
  /** Whether the account has a second factor. If so, the section asks for that factor instead of the password. */
  hasTwoFactor: boolean
  actions: {
    start: ServerAction<z.infer<typeof proofSchema>, PublicKeyCredentialCreationOptionsJSON>
    add: ServerAction<AddPasskeyInput, string[] | null>
    rename: ServerAction<RenamePasskeyInput>
    remove: ServerAction<RemovePasskeyInput>
  }
}

type Step = { kind: 'closed' } | { kind: 'password' } | { kind: 'busy' } | { kind: 'codes'; codes: string[] }

const WHAT_FOR =
  "Sign in with your fingerprint, your face or your device's PIN. A passkey is also your second factor when you sign in with your password."
const FULL = 'You have 10 passkeys. Remove one to add another.'

/** Adds a passkey, in the steps that `step` names. `problem` is why the last attempt failed. */
function useAddPasskey({ hasTwoFactor, actions }: Pick<PasskeySectionProps, 'hasTwoFactor' | 'actions'>) {
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  const [problem, setProblem] = useState<{ message: string }>()
  const router = useRouter()
  const stepUp = useStepUp()

  const close = () => setStep({ kind: 'closed' })
  const fail = (message: string) => {
    setProblem({ message })
    close()
  }

  async function make(options: PublicKeyCredentialCreationOptionsJSON): Promise<void> {
    setStep({ kind: 'busy' })
    const made = await makePasskey(options)
    if (!made.ok) return fail(made.text)
    const outcome = await callAction(actions.add, { credential: made.credential })
    if (!outcome.ok) return fail(outcome.error)
    toast(accountToasts.passkeyAdded)
    if (outcome.value) return setStep({ kind: 'codes', codes: outcome.value })
    close()
    router.refresh()
  }

  async function open(): Promise<void> {
    setProblem(undefined)
    if (!hasTwoFactor) return setStep({ kind: 'password' })
    setStep({ kind: 'busy' })
    try {
      const outcome = await stepUp(() => callGuardedAction(actions.start, {}))
      if (outcome.ok) return await make(outcome.value)
      fail(outcome.error)
    } catch (error) {
      fail(failureText(error))
    }
  }

  const finish = () => {
    close()
    router.refresh()
  }
  return { step, problem, open, make, close, finish }
}

/** Moves the focus to the heading when a step closes, because the button that opened the step no longer exists. */
function useFocusAfterStep({ kind }: Step) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shownKind = useRef(kind)
  useEffect(() => {
    if (shownKind.current !== kind && kind !== 'busy') heading.current?.focus()
    shownKind.current = kind
  }, [kind])
  return heading
}

/** Lists the passkeys of the account, and adds, renames and removes them (docs/product.md#passkeys). */
export function PasskeySection({ passkeys, hasTwoFactor, actions }: PasskeySectionProps) {
  const { step, problem, open, make, close, finish } = useAddPasskey({ hasTwoFactor, actions })
  const heading = useFocusAfterStep(step)
  const canAdd = passkeys.length < MAX_PASSKEYS && (step.kind === 'closed' || step.kind === 'busy')
  return (
    <Card className="grid gap-4 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 ref={heading} tabIndex={-1} className="text-lg font-bold">
          Passkeys
        </h3>
        {canAdd ? (
          <PasskeyButton size="sm" isBusy={step.kind === 'busy'} onClick={() => void open()}>
            Add a passkey
          </PasskeyButton>
        ) : null}
      </div>
      <p className="text-muted">{passkeys.length < MAX_PASSKEYS ? WHAT_FOR : FULL}</p>
      <FormProblem error={problem} />
      {step.kind === 'password' ? (
        <OwnPasswordForm
          id="passkey-password"
          onSend={actions.start}
          onDone={(options) => void make(options)}
          onCancel={close}
        />
      ) : null}
      {step.kind === 'codes' ? <RecoveryCodes codes={step.codes} onDone={finish} /> : null}
      {passkeys.length > 0 ? (
        <ul className="grid gap-3">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRename={actions.rename} onRemove={actions.remove} />
          ))}
        </ul>
      ) : null}
    </Card>
  )
}
