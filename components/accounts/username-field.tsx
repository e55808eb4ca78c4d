'use client'

import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { accountTexts } from '@/lib/accounts/messages'
import { cleanUsername, USERNAME_MAX } from '@/lib/accounts/rules'
import type { UsernameState } from './use-username-check'

type UsernameFieldProps = {
  id: string
  label?: string
  value: string
  onChange: (username: string) => void
  error?: string | undefined
  /** The result of useUsernameCheck for this name. */
  state: UsernameState
}

export function UsernameField({ id, label = 'Username', value, onChange, error, state }: UsernameFieldProps) {
  return (
    <Field id={id} label={label} error={error} hint={<UsernameHint state={state} error={error} onPick={onChange} />}>
      <div className="relative">
        <span aria-hidden className="absolute inset-y-0 left-3.5 grid place-items-center text-muted">
          @
        </span>
        <Input
          id={id}
          name="username"
          value={value}
          onChange={(event) => onChange(cleanUsername(event.target.value))}
          maxLength={USERNAME_MAX}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          enterKeyHint="next"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint: true, error: Boolean(error) })}
          className="pl-8"
        />
      </div>
    </Field>
  )
}

type UsernameHintProps = { state: UsernameState; error: string | undefined; onPick: (username: string) => void }

function UsernameHint({ state, error, onPick }: UsernameHintProps) {
  return (
    <div aria-live="polite" className="grid gap-2">
      <p className="flex items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
        {state.kind === 'idle' ? accountTexts.usernameHint : null}
        {state.kind === 'checking' ? (
          <>
            <LoaderCircle aria-hidden className="animate-spin" />
            {accountTexts.usernameChecking}
          </>
        ) : null}
        {state.kind === 'available' ? (
          <span className="flex items-center gap-1.5 font-medium text-good">
            <Check aria-hidden />
            {state.message}
          </span>
        ) : null}
        {state.kind === 'unavailable' && state.message !== error ? (
          <span className="flex items-center gap-1.5 font-medium text-bad">
            <CircleAlert aria-hidden />
            {state.message}
          </span>
        ) : null}
        {state.kind === 'unknown' ? <span className="text-warn">{state.message}</span> : null}
      </p>
      {state.kind === 'unavailable' && state.suggestions.length > 0 ? (
        <p className="flex flex-wrap items-center gap-2">
          Free:
          {state.suggestions.map((suggestion) => (
            <button
              key={suggestion}
              type="button"
              onClick={() => onPick(suggestion)}
              className="min-h-11 rounded-full border border-control/60 px-3.5 font-medium text-ink hover:bg-sunken"
            >
              @{suggestion}
            </button>
          ))}
        </p>
      ) : null}
    </div>
  )
}
