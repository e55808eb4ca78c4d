'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldOfErrorText } from '@/lib/accounts/rules'
import { accountTexts } from '@/lib/accounts/messages'
import { ApiError, callApi, failureText } from './api'

export type AuthErrors = Partial<
  Record<'email' | 'username' | 'password' | 'firstName' | 'lastName' | 'code' | 'general', string>
>

/** SPEC §9, redirect after auth. */
const LOGIN_REDIRECT_MS = 300

/** The calls that sign a browser in, or bring it closer. */
type Mode = 'login' | 'signup' | 'signup-draft' | 'signup-draft/complete' | 'two-factor'

type Options = {
  redirectTo: string
  redirectAfterMs?: number
}

/**
 * Sends a login or a sign-up, clears what was cached and goes on. `submit` answers what was refused, by the fields it belongs
 * to, or null: then the browser is on its way to the next page, and `isLeaving` stays true.
 */
export function useAuthSubmit({ redirectTo, redirectAfterMs = LOGIN_REDIRECT_MS }: Options) {
  const queryClient = useQueryClient()
  const [isLeaving, setIsLeaving] = useState(false)

  async function submit(mode: Mode, body: object): Promise<AuthErrors | null> {
    try {
      const answer = await callApi<{ redirect?: string }>('POST', `/api/auth/${mode}`, body)
      queryClient.clear()
      setIsLeaving(true)
      // A full load: every page that was kept knows the visitor, not the seller.
      setTimeout(() => window.location.assign(nextPage(answer.redirect, redirectTo)), redirectAfterMs)
      return null
    } catch (error) {
      return errorsOf(error, mode)
    }
  }

  return { submit, isLeaving }
}

/** The page the server names; one in between takes the way on along. */
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
