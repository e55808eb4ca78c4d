'use client'

import { useEffect, useState } from 'react'
import { accountTexts } from '@/lib/accounts/messages'
import { USERNAME_CHECK_MIN } from '@/lib/accounts/rules'
import type { UsernameCheckView } from '@/lib/accounts/view'
import { ApiError, callApi } from '@/lib/client/call-api'

/** The five states of a username while it is typed (docs/product.md#usernames). */
export type UsernameState =
  | { kind: 'idle' }
  | { kind: 'checking' }
  | { kind: 'available'; message: string }
  | { kind: 'unavailable'; message: string; suggestions: string[] }
  | { kind: 'unknown'; message: string }

type Answer = { username: string; state: UsernameState }

/** Asks the server whether a username of at least 3 characters is free, once typing has paused for `debounceMs`. */
export function useUsernameCheck(username: string, debounceMs: number): UsernameState {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const isLongEnough = username.length >= USERNAME_CHECK_MIN

  useEffect(() => {
    if (!isLongEnough) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void fetchUsernameState(username).then((state) => {
        if (isCurrent) setAnswer({ username, state })
      })
    }, debounceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [username, debounceMs, isLongEnough])

  if (!isLongEnough) return { kind: 'idle' }
  return answer?.username === username ? answer.state : { kind: 'checking' }
}

async function fetchUsernameState(username: string): Promise<UsernameState> {
  try {
    const check = await callApi<UsernameCheckView>('GET', `/api/auth/check-username/${encodeURIComponent(username)}`)
    return check.available
      ? { kind: 'available', message: check.message }
      : { kind: 'unavailable', message: check.message, suggestions: check.suggestions }
  } catch (error) {
    // The hint shows the server's message if there is one. Otherwise it says that the name could not be checked.
    if (!(error instanceof ApiError)) return { kind: 'unknown', message: accountTexts.usernameCheckFailed }
    return { kind: 'unknown', message: error.serverText ?? accountTexts.usernameCheckError }
  }
}
