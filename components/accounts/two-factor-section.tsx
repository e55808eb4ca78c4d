'use client'

import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { accountToasts } from '@/lib/accounts/messages'
import type { CodeInput, StartTwoFactorInput } from '@/lib/accounts/schema'
import type { TwoFactorView } from '@/lib/accounts/view'
import { failureText } from '@/lib/client/call-api'
import { callGuardedAction } from '@/lib/client/call-guarded-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { CodeForm } from './code-form'
import { OwnPasswordForm } from './own-password-form'
import { RecoveryCodes } from './recovery-codes'
import { useStepUp } from './step-up-provider'
import { useGuardedAction } from './use-guarded-action'

type Secret = { secret: string; qr: string; uri: string }

type TwoFactorSectionProps = {
  twoFactor: TwoFactorView
  actions: {
    start: ServerAction<StartTwoFactorInput, Secret>
    confirm: ServerAction<CodeInput, string[]>
    turnOff: ServerAction<CodeInput>
    renewCodes: ServerAction<Partial<CodeInput>, string[]>
  }
}

type Step =
  | { kind: 'closed' }
  | { kind: 'password' }
  | ({ kind: 'scan' } & Secret)
  | { kind: 'codes'; codes: string[] }
  | { kind: 'turn-off' }
  | { kind: 'renew' }

/**
 * Sets up an authenticator app as a second factor, makes new recovery codes, and removes the app. Two-factor sign-in
 * stays on while the account has a passkey.
 */
export function TwoFactorSection({ twoFactor, actions }: TwoFactorSectionProps) {
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  // Whether the app was turned on or off on this page. While it is null, the server's value counts.
  const [changed, setChanged] = useState<boolean | null>(null)
  const hasApp = changed ?? twoFactor.hasApp
  const isOn = hasApp || (twoFactor.isOn && !twoFactor.hasApp)

  // When the step changes, the button that was pressed no longer exists. The focus then moves to the heading, which
  // says whether two-factor sign-in is on.
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
        {hasApp || step.kind !== 'closed' ? null : (
          <Button variant="outline" size="sm" onClick={() => setStep({ kind: 'password' })}>
            {isOn ? 'Set up an app' : 'Set up'}
          </Button>
        )}
      </div>
      {step.kind === 'closed' ? (
        <Closed twoFactor={{ ...twoFactor, isOn, hasApp }} onRenew={actions.renewCodes} onStep={setStep} />
      ) : (
        <OpenStep step={step} actions={actions} onStep={setStep} onSwitch={setChanged} onClose={close} />
      )}
    </Card>
  )
}

type ClosedProps = {
  twoFactor: TwoFactorView
  onRenew: TwoFactorSectionProps['actions']['renewCodes']
  onStep: (step: Step) => void
}

/**
 * Explains two-factor sign-in while it is off. While it is on, offers new recovery codes and, if the account has an
 * authenticator app, a button that removes the app.
 */
function Closed({ twoFactor: { isOn, hasApp, recoveryCodesLeft }, onRenew, onStep }: ClosedProps) {
  const stepUp = useStepUp()
  /** Without an app, the server requires a recent step-up with a passkey or a recovery code instead of a code. */
  async function renewAfterStepUp(): Promise<void> {
    try {
      const outcome = await stepUp(() => callGuardedAction(onRenew, {}))
      if (outcome.ok) onStep({ kind: 'codes', codes: outcome.value })
      else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
    } catch (error) {
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  if (!isOn) {
    return (
      <p className="text-muted">
        Once this is on, signing in also asks for a code from an authenticator app. Nobody can get in with just your
        password.
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="w-full text-muted">
        {hasApp ? '' : 'Signing in with your password also asks for a passkey. '}
        {recoveryCodesLeft} recovery {recoveryCodesLeft === 1 ? 'code' : 'codes'} left.
      </p>
      <Button
        variant="outline"
        size="sm"
        onClick={() => (hasApp ? onStep({ kind: 'renew' }) : void renewAfterStepUp())}
      >
        New recovery codes
      </Button>
      {hasApp ? (
        <Button variant="ghost" size="sm" onClick={() => onStep({ kind: 'turn-off' })}>
          Turn off
        </Button>
      ) : null}
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
  const start = useGuardedAction(actions.start)
  if (step.kind === 'password') {
    return (
      <OwnPasswordForm
        id="two-factor-password"
        onSend={start}
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

/**
 * Shows the QR code and the key. A phone cannot scan its own screen, so the key can be copied, and narrow screens have
 * a link that opens the authenticator app.
 */
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
