'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountTexts } from '@/lib/accounts/messages'
import { fieldOfErrorText } from '@/lib/accounts/rules'
import { ApiError, callApi, failureText } from '@/lib/client/api'

export type AuthErrors = Partial<
  Record<'email' | 'username' | 'password' | 'firstName' | 'lastName' | 'code' | 'general', string>
>

/** The delay before the redirect after signing in (docs/product.md#signing-in). */
const LOGIN_REDIRECT_MS = 300

/** The API calls that sign a browser in, or are a step on the way to that. */
type Mode = 'login' | 'signup' | 'signup-draft' | 'signup-draft/complete' | 'two-factor'

type Options = {
  redirectTo: string
  redirectAfterMs?: number
  onDone?: (mode: Mode) => void
  onFailed?: (errors: AuthErrors) => void
}

/** Sends a sign-in or sign-up, shows a refusal at its field, clears cached data and then redirects. */
export function useAuthSubmit({ redirectTo, redirectAfterMs = LOGIN_REDIRECT_MS, onDone, onFailed }: Options) {
  const queryClient = useQueryClient()
  const [errors, setErrors] = useState<AuthErrors>({})
  const [isSubmitting, setIsSubmitting] = useState(false)

  async function submit(mode: Mode, body: object): Promise<void> {
    setIsSubmitting(true)
    setErrors({})
    try {
      const answer = await callApi<{ redirect?: string }>('POST', `/api/auth/${mode}`, body)
      queryClient.clear()
      onDone?.(mode)
      // This is a full page load, because every page cached by the router was rendered for a signed-out visitor.
      setTimeout(() => window.location.assign(nextPage(answer.redirect, redirectTo)), redirectAfterMs)
    } catch (error) {
      const refused = errorsOf(error, mode)
      setErrors(refused)
      onFailed?.(refused)
      setIsSubmitting(false)
    }
  }

  return { submit, errors, setErrors, isSubmitting }
}

/** Returns the page that the server names. An intermediate page receives the final address as a parameter. */
function nextPage(named: string | undefined, redirectTo: string): string {
  if (!named) return redirectTo
  return redirectTo === '/' ? named : `${named}?redirect=${encodeURIComponent(redirectTo)}`
}

function errorsOf(error: unknown, mode: Mode): AuthErrors {
  const text = failureText(error)
  if (text === accountTexts.invalidLogin) return { email: text, password: text }
  const named = error instanceof ApiError ? error.field : undefined
  const field = named ?? (mode === 'login' || mode === 'signup' ? fieldOfErrorText(text, mode) : null)
  return { [field ?? 'general']: text }
}
