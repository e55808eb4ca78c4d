import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { storageKeys } from '@/lib/client/storage-keys'
import type { SignupValues } from './signup-fields'

/** What is kept in this tab; a password never is. */
const KEPT = ['firstName', 'lastName', 'username', 'email'] as const

function readKept(): Partial<Record<string, unknown>> {
  try {
    return (JSON.parse(sessionStorage.getItem(storageKeys.signupDraft) ?? '{}') ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/**
 * Keeps what is typed into a sign-up form in this tab, so that a reload loses only the password. What a field holds already
 * is not overwritten.
 */
export function useKeptSignup({ getValues, setValue, subscribe }: UseFormReturn<SignupValues>): void {
  useEffect(() => {
    const kept = readKept()
    for (const name of KEPT) {
      const value = kept[name]
      if (typeof value === 'string' && !getValues(name)) setValue(name, value)
    }
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const typed = Object.fromEntries(KEPT.map((name) => [name, values[name]]))
        try {
          sessionStorage.setItem(storageKeys.signupDraft, JSON.stringify(typed))
        } catch {
          // The browser keeps nothing: a reload then starts with an empty form.
        }
      },
    })
  }, [getValues, setValue, subscribe])
}
