'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountTexts } from '@/lib/accounts/messages'
import { fieldOfErrorText } from '@/lib/accounts/rules'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'

export type AuthErrors = Partial<
  Record<'email' | 'username' | 'password' | 'firstName' | 'lastName' | 'code' | 'general', string>
>

/** The delay before the redirect after signing in (docs/product.md#signing-in). */
const LOGIN_REDIRECT_MS = 300

/** The API calls that sign a browser in or are a step toward that. */
type Mode = 'login' | 'signup' | 'signup-draft' | 'signup-draft/complete' | 'two-factor' | 'passkey'

type Options = {
  redirectTo: string
  redirectAfterMs?: number
}

/**
 * `submit` sends one step of a login or a sign-up. After a success it clears the cached responses, starts the delay
 * before the next page opens, and returns null; `isLeaving` then stays true. Otherwise it returns the refusals by
 * field, with `general` for a refusal that belongs to no field.
 */
export function useAuthSubmit({ redirectTo, redirectAfterMs = LOGIN_REDIRECT_MS }: Options) {
  const queryClient = useQueryClient()
  const [isLeaving, setIsLeaving] = useState(false)

  async function submit(mode: Mode, body: object): Promise<AuthErrors | null> {
    try {
      const answer = await callApi<{ redirect?: string }>('POST', `/api/auth/${mode}`, body)
      queryClient.clear()
      setIsLeaving(true)
      // A full page load, because the pages in the router's cache were rendered for a signed-out visitor.
      setTimeout(() => window.location.assign(nextPage(answer.redirect, redirectTo)), redirectAfterMs)
      return null
    } catch (error) {
      return errorsOf(error, mode)
    }
  }

  return { submit, isLeaving }
}

/**
 * Returns the page that the server names, or else `redirectTo`. A named page receives `redirectTo` as a parameter,
 * unless that is the home page.
 */
function nextPage(named: string | undefined, redirectTo: string): string {
  if (!named) return redirectTo
  return redirectTo === '/' ? named : `${named}?redirect=${encodeURIComponent(redirectTo)}`
}

function errorsOf(error: unknown, mode: Mode): AuthErrors {
  const text = failureText(error)
  if (text.includes(accountTexts.invalidLogin)) return { email: text, password: text }
  const named = error instanceof ApiError ? error.field : undefined
  const field = named ?? (mode === 'login' || mode === 'signup' ? fieldOfErrorText(text, mode) : null)
  return { [field ?? 'general']: text }
}
