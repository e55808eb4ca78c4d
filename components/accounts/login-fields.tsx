'use client'

import type { Control } from 'react-hook-form'
import { LabeledField } from '@/components/ui/labeled-field'
import { PrefixedInput } from '@/components/ui/prefixed-input'
import type { LoginInput } from '@/lib/accounts/schema'
import { PasswordField } from './password-field'

export function LoginFields({ control }: { control: Control<LoginInput> }) {
  return (
    <>
      <LabeledField control={control} name="email" id="identifier" label="Username">
        {({ onChange, ...field }) => (
          <PrefixedInput
            {...field}
            // The field already shows an @ sign as its prefix, so a typed one is removed.
            onChange={(event) => onChange(event.target.value.replace(/^\s*@/, ''))}
            prefix="@"
            // Browsers remember earlier entries under this name, which fits both a username and an email address. The
            // server accepts both.
            name="identifier"
            required
            // "webauthn" lets browsers suggest passkeys in this field.
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="next"
            className="ps-8"
          />
        )}
      </LabeledField>
      <PasswordField
        control={control}
        name="password"
        id="password"
        autoComplete="current-password"
        enterKeyHint="go"
      />
    </>
  )
}
