'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type CodeInput, type StartTwoFactorInput, startTwoFactorSchema } from '@/lib/accounts/schema'
import type { TwoFactorView } from '@/lib/accounts/view'
import { callAction } from '@/lib/client/call-action'
import { CodeForm, type Outcome } from './code-form'
import { PasswordField } from './password-field'
import { RecoveryCodes } from './recovery-codes'

type TwoFactorSectionProps = {
  twoFactor: TwoFactorView
  actions: {
    start: (input: StartTwoFactorInput) => Promise<Outcome<Secret>>
    confirm: (input: CodeInput) => Promise<Outcome<string[]>>
    turnOff: (input: CodeInput) => Promise<Outcome<void>>
    renewCodes: (input: CodeInput) => Promise<Outcome<string[]>>
  }
}

type Secret = { secret: string; qr: string }

type Step =
  | { kind: 'closed' }
  | { kind: 'password' }
  | ({ kind: 'scan' } & Secret)
  | { kind: 'codes'; codes: string[] }
  | { kind: 'turn-off' }
  | { kind: 'renew' }

/** A second factor: an authenticator app, and codes on paper for the day the phone is gone. */
export function TwoFactorSection({ twoFactor, actions }: TwoFactorSectionProps) {
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  const [isOn, setIsOn] = useState(twoFactor.isOn)

  // The button that led to a step is gone with the step before it: the focus goes to the heading, which says on or off.
  const heading = useRef<HTMLHeadingElement>(null)
  const shownKind = useRef(step.kind)
  useEffect(() => {
    if (shownKind.current !== step.kind) heading.current?.focus()
    shownKind.current = step.kind
  }, [step.kind])

  const close = () => setStep({ kind: 'closed' })
  return (
    <Card className="grid gap-4 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 ref={heading} tabIndex={-1} className="flex flex-wrap items-center gap-2 text-lg font-bold">
          Two-factor
          <Badge variant={isOn ? 'good' : 'secondary'}>{isOn ? 'On' : 'Off'}</Badge>
        </h3>
        {isOn || step.kind !== 'closed' ? null : (
          <Button variant="outline" size="sm" onClick={() => setStep({ kind: 'password' })}>
            Set up
          </Button>
        )}
      </div>
      {step.kind === 'closed' && !isOn ? (
        <p className="text-muted">
          Logging in asks for a code of your phone as well. Nobody gets in with your password alone.
        </p>
      ) : null}
      {step.kind === 'closed' && isOn ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="w-full text-muted">
            {twoFactor.recoveryCodesLeft} recovery codes were left when you came here.
          </p>
          <Button variant="outline" size="sm" onClick={() => setStep({ kind: 'renew' })}>
            New recovery codes
          </Button>
          <Button variant="ghost" size="sm" onClick={() => setStep({ kind: 'turn-off' })}>
            Turn off
          </Button>
        </div>
      ) : null}
      {step.kind === 'password' ? (
        <PasswordForm
          onSend={actions.start}
          onDone={(secret) => setStep({ kind: 'scan', ...secret })}
          onCancel={close}
        />
      ) : null}
      {step.kind === 'scan' ? (
        <>
          <Scan secret={step.secret} qr={step.qr} />
          <CodeForm
            label="The app's six digits"
            button="Turn on"
            onSend={actions.confirm}
            onDone={(codes) => {
              setIsOn(true)
              setStep({ kind: 'codes', codes })
            }}
            onCancel={close}
          />
        </>
      ) : null}
      {step.kind === 'codes' ? <RecoveryCodes codes={step.codes} onDone={close} /> : null}
      {step.kind === 'renew' ? (
        <CodeForm
          label="A code of your app"
          button="Make new codes"
          onSend={actions.renewCodes}
          onDone={(codes) => setStep({ kind: 'codes', codes })}
          onCancel={close}
        />
      ) : null}
      {step.kind === 'turn-off' ? (
        <CodeForm
          label="A code of your app, or a recovery code"
          button="Turn off"
          onSend={actions.turnOff}
          onDone={() => {
            setIsOn(false)
            close()
          }}
          onCancel={close}
        />
      ) : null}
    </Card>
  )
}

type PasswordFormProps = {
  onSend: (input: StartTwoFactorInput) => Promise<Outcome<Secret>>
  onDone: (secret: Secret) => void
  onCancel: () => void
}

function PasswordForm({ onSend, onDone, onCancel }: PasswordFormProps) {
  const { register, handleSubmit, formState, setError } = useForm<StartTwoFactorInput>({
    resolver: zodResolver(startTwoFactorSchema),
    defaultValues: { password: '' },
  })
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(onSend, input)
    if (outcome.ok) onDone(outcome.value)
    else setError('password', { message: outcome.error }, { shouldFocus: true })
  })
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-3">
      <PasswordField
        id="two-factor-password"
        label="Your password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={formState.isSubmitting}>
          Go on
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Scan({ secret, qr }: Secret) {
  return (
    <div className="grid gap-3 md:grid-cols-[auto_1fr] md:items-center">
      {/* eslint-disable-next-line @next/next/no-img-element -- drawn by our server, as text */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(qr)}`}
        alt="QR code for your authenticator app"
        className="size-44 rounded-control bg-white p-2"
      />
      <div className="grid gap-2 text-sm">
        <p>Scan this with an authenticator app, or type the key:</p>
        <p className="tabular font-mono font-semibold break-all">{secret.match(/.{1,4}/g)?.join(' ')}</p>
      </div>
    </div>
  )
}
