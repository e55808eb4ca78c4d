'use client'

import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { News } from '@/components/ui/news'
import { callApi, failureText } from '@/lib/client/call-api'

/** Says what was confirmed. Without JavaScript, the page does not know the address. */
function doneText(isUndo: boolean, email?: string): string {
  if (!isUndo) return `${email ?? 'Your email address'} is confirmed.`
  return `Your account belongs to ${email ?? 'you'} again. We've emailed you a link to choose a new password.`
}

/**
 * Confirms the address only when the button is pressed, because email programs open links by themselves and would
 * otherwise confirm it. With `isUndo` the link gives the account back to its owner, so the button says that.
 * @param confirmation.isDone whether a browser without JavaScript has confirmed it already
 */
export function ConfirmEmail({
  token,
  isUndo = false,
  isDone = false,
}: {
  token: string
  isUndo?: boolean
  isDone?: boolean
}) {
  const [state, setState] = useState<{ kind: 'idle' | 'busy' } | { kind: 'done' | 'failed'; text: string }>(
    isDone ? { kind: 'done', text: doneText(isUndo) } : { kind: 'idle' },
  )

  async function confirm() {
    setState({ kind: 'busy' })
    try {
      const { email } = await callApi<{ email: string }>('POST', '/api/auth/confirm-email', { token })
      setState({ kind: 'done', text: doneText(isUndo, email) })
    } catch (error) {
      setState({ kind: 'failed', text: failureText(error) })
    }
  }

  if (state.kind === 'done' || state.kind === 'failed') {
    return (
      <News className="grid gap-5">
        <p className={state.kind === 'done' ? 'text-lg font-semibold' : 'font-medium text-bad'}>{state.text}</p>
        <Button asChild size="lg">
          <Link href={state.kind === 'done' ? '/' : '/account'}>
            {state.kind === 'done' ? 'Continue' : isUndo ? 'Go to your account' : 'Ask for a new link'}
          </Link>
        </Button>
      </News>
    )
  }
  return (
    <form
      method="post"
      className="grid"
      onSubmit={(event) => {
        event.preventDefault()
        void confirm()
      }}
    >
      <input type="hidden" name="token" value={token} />
      <Button type="submit" size="lg" isBusy={state.kind === 'busy'}>
        {isUndo
          ? state.kind === 'busy'
            ? 'Taking your account back…'
            : 'Take my account back'
          : state.kind === 'busy'
            ? 'Confirming…'
            : 'Confirm my email'}
      </Button>
    </form>
  )
}
