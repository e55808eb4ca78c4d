'use client'

import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { accountToasts } from '@/lib/accounts/messages'
import type { CodeInput, StartTwoFactorInput } from '@/lib/accounts/schema'
import type { TwoFactorView } from '@/lib/accounts/view'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { CodeForm } from './code-form'
import { RecoveryCodes } from './recovery-codes'
import { type Secret, TwoFactorPasswordForm } from './two-factor-password-form'

type TwoFactorSectionProps = {
  twoFactor: TwoFactorView
  actions: {
    start: ServerAction<StartTwoFactorInput, Secret>
    confirm: ServerAction<CodeInput, string[]>
    turnOff: ServerAction<CodeInput>
    renewCodes: ServerAction<CodeInput, string[]>
  }
}

type Step =
  | { kind: 'closed' }
  | { kind: 'password' }
  | ({ kind: 'scan' } & Secret)
  | { kind: 'codes'; codes: string[] }
  | { kind: 'turn-off' }
  | { kind: 'renew' }

/** Sets up two-factor sign-in: an authenticator app, and recovery codes for a lost phone. */
export function TwoFactorSection({ twoFactor, actions }: TwoFactorSectionProps) {
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  const [isOn, setIsOn] = useState(twoFactor.isOn)

  // When a step closes, the button that opened it no longer exists. The focus moves to the heading, which says on or
  // off, so that it is not lost.
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
      {step.kind === 'closed' ? (
        <Closed isOn={isOn} recoveryCodesLeft={twoFactor.recoveryCodesLeft} onStep={setStep} />
      ) : (
        <OpenStep step={step} actions={actions} onStep={setStep} onSwitch={setIsOn} onClose={close} />
      )}
    </Card>
  )
}

type ClosedProps = { isOn: boolean; recoveryCodesLeft: number; onStep: (step: Step) => void }

/** Explains the second factor, or offers what can be done with the one that is on. */
function Closed({ isOn, recoveryCodesLeft, onStep }: ClosedProps) {
  if (!isOn) {
    return (
      <p className="text-muted">
        Signing in also asks for a code from your app, so nobody gets in with just your password.
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="w-full text-muted">{recoveryCodesLeft} recovery codes left.</p>
      <Button variant="outline" size="sm" onClick={() => onStep({ kind: 'renew' })}>
        New recovery codes
      </Button>
      <Button variant="ghost" size="sm" onClick={() => onStep({ kind: 'turn-off' })}>
        Turn off
      </Button>
    </div>
  )
}

type OpenStepProps = {
  step: Exclude<Step, { kind: 'closed' }>
  actions: TwoFactorSectionProps['actions']
  onStep: (step: Step) => void
  onSwitch: (isOn: boolean) => void
  onClose: () => void
}

function OpenStep({ step, actions, onStep, onSwitch, onClose }: OpenStepProps) {
  if (step.kind === 'password') {
    return (
      <TwoFactorPasswordForm
        onSend={actions.start}
        onDone={(secret) => onStep({ kind: 'scan', ...secret })}
        onCancel={onClose}
      />
    )
  }
  if (step.kind === 'scan') {
    return (
      <>
        <Scan secret={step.secret} qr={step.qr} uri={step.uri} />
        <CodeForm
          label="The six digits from your app"
          button="Turn on"
          onSend={actions.confirm}
          onDone={(codes) => {
            onSwitch(true)
            onStep({ kind: 'codes', codes })
          }}
          onCancel={onClose}
        />
      </>
    )
  }
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={onClose} />
  if (step.kind === 'renew') {
    return (
      <CodeForm
        label="A code from your app"
        button="Make new codes"
        onSend={actions.renewCodes}
        onDone={(codes) => onStep({ kind: 'codes', codes })}
        onCancel={onClose}
      />
    )
  }
  return (
    <CodeForm
      label="A code from your app, or a recovery code"
      button="Turn off"
      onSend={actions.turnOff}
      onDone={() => {
        onSwitch(false)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

/** A phone cannot scan its own screen, so the key can be copied, and a link opens the app that is installed there. */
function Scan({ secret, qr, uri }: Secret) {
  return (
    <div className="grid gap-3 md:grid-cols-[auto_1fr] md:items-center">
      {/* eslint-disable-next-line @next/next/no-img-element -- the QR code is a data URL that our server draws */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(qr)}`}
        alt="QR code for your authenticator app"
        className="size-44 rounded-control bg-white p-2"
      />
      <div className="grid gap-2 text-sm">
        <p>Scan this with an authenticator app, or enter the key:</p>
        <p className="tabular font-mono font-semibold break-all">{secret.match(/.{1,4}/g)?.join(' ')}</p>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" size="sm" onClick={() => void copyKey(secret)}>
            <Copy aria-hidden />
            Copy key
          </Button>
          <Button asChild variant="outline" size="sm" className="md:hidden">
            <a href={uri}>Open authenticator app</a>
          </Button>
        </div>
      </div>
    </div>
  )
}

async function copyKey(secret: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(secret)
    toast(accountToasts.keyCopied)
  } catch {
    toast({ ...accountToasts.keyNotCopied, tone: 'bad' })
  }
}
