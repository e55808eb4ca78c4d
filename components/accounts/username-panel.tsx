'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import type { EligibilityView, UserView } from '@/lib/accounts/view'
import { callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { useUsernameCheck } from '@/lib/client/use-username-check'
import { UsernameField } from './username-field'

const DEBOUNCE_MS = 200
const eligibilityKey = ['api', 'check-username-eligibility']

/** Changing the username, once every 30 days (SPEC §2, Settings dialog). Closed again whenever the dialog opens. */
export function UsernamePanel({ username }: { username: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section aria-labelledby="username-panel" className="grid gap-3 rounded-card border p-4">
      <div className="flex items-center justify-between gap-3">
        <div>
          <h3 id="username-panel" className="text-lg font-bold">
            Username
          </h3>
          <p className="text-muted">@{username}</p>
        </div>
        <Button variant="outline" size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Cancel' : 'Change'}
        </Button>
      </div>
      {isOpen ? <ChangeUsername onDone={() => setIsOpen(false)} /> : null}
    </section>
  )
}

function ChangeUsername({ onDone }: { onDone: () => void }) {
  const { data, isError } = useQuery({
    queryKey: eligibilityKey,
    queryFn: () => callApi<EligibilityView>('GET', '/api/check-username-eligibility'),
    staleTime: 0,
  })
  if (isError) return <p className="text-sm text-bad">{accountTexts.usernameCheckFailed}</p>
  if (!data) return <p className="text-sm text-muted">{accountTexts.usernameChecking}</p>
  if (!data.canChange) {
    return (
      <div className="grid gap-1 rounded-control bg-sunken p-3 text-sm">
        <p className="font-semibold">{accountTexts.cannotChangeUsername}</p>
        <p className="text-muted">{data.reason}</p>
        {data.cooldownEnds ? (
          <p>
            Available again: <LocalTime iso={data.cooldownEnds} />
          </p>
        ) : null}
      </div>
    )
  }
  return <NewUsername onDone={onDone} />
}

function NewUsername({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [username, setUsername] = useState('')
  const state = useUsernameCheck(username, DEBOUNCE_MS)
  const [error, setError] = useState<string>()
  const [isSaving, setIsSaving] = useState(false)

  async function save() {
    if (username.trim() === '') return toast({ ...accountToasts.usernameRequired, tone: 'bad' })
    setIsSaving(true)
    setError(undefined)
    try {
      const { user } = await callApi<{ user: UserView }>('POST', '/api/change-username', { newUsername: username })
      queryClient.setQueryData(['api', 'auth', 'user'], user)
      await queryClient.invalidateQueries({ queryKey: eligibilityKey })
      // The greeting and the link to the profile come with the page.
      router.refresh()
      toast(accountToasts.usernameChanged)
      onDone()
    } catch (failure) {
      setError(failureText(failure))
      toast({ ...accountToasts.usernameChangeFailed, description: failureText(failure), tone: 'bad' })
      setIsSaving(false)
    }
  }

  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSaving) void save()
      }}
    >
      <UsernameField
        id="new-username"
        label="New username"
        value={username}
        onChange={setUsername}
        error={error}
        state={state}
      />
      <p className="text-sm text-muted">Your old name leads here for 30 days. You can change it again after 30 days.</p>
      <Button type="submit" disabled={isSaving}>
        {isSaving ? 'Saving...' : 'Change username'}
      </Button>
    </form>
  )
}
