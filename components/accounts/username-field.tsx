'use client'

import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { FormControl, FormDescription, FormField, FormItem, FormLabel, FormMessage } from '@/components/ui/form'
import type { LabeledFieldProps } from '@/components/ui/labeled-field'
import { PrefixedInput } from '@/components/ui/prefixed-input'
import { accountTexts } from '@/lib/accounts/messages'
import { cleanUsername, USERNAME_MAX } from '@/lib/accounts/rules'
import type { UsernameState } from './use-username-check'

type UsernameFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Output> = Pick<
  LabeledFieldProps<Values, Name, Output>,
  'control' | 'name' | 'id'
> & {
  label?: string
  /** The result of useUsernameCheck() for the name. */
  state: UsernameState
}

export function UsernameField<Values extends FieldValues, Name extends FieldPath<Values>, Output>({
  control,
  name,
  id,
  label = 'Username',
  state,
}: UsernameFieldProps<Values, Name, Output>) {
  return (
    <FormField
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <FormItem id={id}>
          <FormLabel>{label}</FormLabel>
          <FormControl>
            <PrefixedInput
              {...field}
              prefix="@"
              name="username"
              onChange={(event) => field.onChange(cleanUsername(event.target.value))}
              maxLength={USERNAME_MAX}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              enterKeyHint="next"
              className="ps-8"
            />
          </FormControl>
          <FormMessage />
          <FormDescription>
            <UsernameHint state={state} error={fieldState.error?.message} onPick={field.onChange} />
          </FormDescription>
        </FormItem>
      )}
    />
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
          Available:
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
