import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import type { SignupValues } from './signup-fields'

/** The fields that are kept in this tab. The password is never kept. */
const KEPT = ['firstName', 'lastName', 'username', 'email'] as const

function readKept(): Partial<Record<string, unknown>> {
  try {
    return (JSON.parse(tabStorage.get(storageKeys.signupDraft) ?? '{}') ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/**
 * Keeps what is typed into a sign-up form in this tab, so that a reload loses only the password. A field that already
 * has a value is not overwritten.
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
        tabStorage.set(storageKeys.signupDraft, JSON.stringify(typed))
      },
    })
  }, [getValues, setValue, subscribe])
}
