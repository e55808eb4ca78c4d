'use client'

import type { Control } from 'react-hook-form'
import type { z } from 'zod/mini'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { accountTexts } from '@/lib/accounts/messages'
import type { signupDraftSchema } from '@/lib/accounts/schema'
import type { UsernameState } from './use-username-check'
import { PasswordField } from './password-field'
import { UsernameField } from './username-field'

export type SignupValues = z.input<typeof signupDraftSchema>
export const emptySignup: SignupValues = { firstName: '', lastName: '', username: '', email: '', password: '' }

type SignupFieldsProps = {
  control: Control<SignupValues>
  usernameState: UsernameState
  isLastNameRequired?: boolean
}

export function SignupFields({ control, usernameState, isLastNameRequired = false }: SignupFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <LabeledField control={control} name="firstName" id="firstName" label="First name">
          {(field) => <Input {...field} required autoComplete="given-name" enterKeyHint="next" maxLength={60} />}
        </LabeledField>
        <LabeledField control={control} name="lastName" id="lastName" label="Last name">
          {(field) => (
            <Input
              {...field}
              required={isLastNameRequired}
              autoComplete="family-name"
              enterKeyHint="next"
              maxLength={60}
            />
          )}
        </LabeledField>
      </div>
      <UsernameField control={control} name="username" id="username" state={usernameState} />
      <LabeledField control={control} name="email" id="email" label="Email">
        {(field) => (
          <Input
            {...field}
            type="email"
            required
            autoComplete="email"
            inputMode="email"
            enterKeyHint="next"
            maxLength={254}
          />
        )}
      </LabeledField>
      <PasswordField
        control={control}
        name="password"
        id="password"
        hint={accountTexts.signupPasswordHint}
        autoComplete="new-password"
        enterKeyHint="go"
      />
    </>
  )
}
