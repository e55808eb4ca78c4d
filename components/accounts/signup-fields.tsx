'use client'

import type { ReactNode } from 'react'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PasswordField } from './password-field'
import type { AuthErrors } from './use-auth-submit'
import type { UsernameState } from './use-username-check'
import { UsernameField } from './username-field'

export type SignupValues = { firstName: string; lastName: string; username: string; email: string; password: string }
export const emptySignup: SignupValues = { firstName: '', lastName: '', username: '', email: '', password: '' }

type SignupFieldsProps = {
  values: SignupValues
  onChange: (values: SignupValues) => void
  errors: AuthErrors
  usernameState: UsernameState
  isLastNameRequired?: boolean
}

export function SignupFields({
  values,
  onChange,
  errors,
  usernameState,
  isLastNameRequired = false,
}: SignupFieldsProps) {
  const set = (name: keyof SignupValues) => (value: string) => onChange({ ...values, [name]: value })
  const text = (name: 'firstName' | 'lastName' | 'email') => ({
    id: name,
    name,
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => set(name)(event.target.value),
    'aria-invalid': errors[name] ? true : undefined,
    'aria-describedby': describedBy(name, { error: Boolean(errors[name]) }),
    enterKeyHint: 'next' as const,
  })
  const twoColumns = (children: ReactNode) => <div className="grid grid-cols-2 gap-3">{children}</div>
  return (
    <>
      {twoColumns(
        <>
          <Field id="firstName" label="First name" error={errors.firstName}>
            <Input {...text('firstName')} required autoComplete="given-name" maxLength={60} />
          </Field>
          <Field id="lastName" label="Last name" error={errors.lastName}>
            <Input {...text('lastName')} required={isLastNameRequired} autoComplete="family-name" maxLength={60} />
          </Field>
        </>,
      )}
      <UsernameField
        id="username"
        value={values.username}
        onChange={set('username')}
        error={errors.username}
        state={usernameState}
      />
      <Field id="email" label="Email" error={errors.email}>
        <Input {...text('email')} type="email" required autoComplete="email" inputMode="email" maxLength={254} />
      </Field>
      <PasswordField
        id="password"
        name="password"
        value={values.password}
        onChange={(event) => set('password')(event.target.value)}
        error={errors.password}
        hint="At least 6 characters; 8 or more is better."
        autoComplete="new-password"
        enterKeyHint="go"
      />
    </>
  )
}
