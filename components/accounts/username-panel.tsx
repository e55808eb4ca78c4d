'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { type ChangeUsernameInput, changeUsernameSchema } from '@/lib/accounts/schema'
import type { EligibilityView, UserView } from '@/lib/accounts/view'
import { callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { useUsernameCheck } from './use-username-check'
import { UsernameField } from './username-field'

const DEBOUNCE_MS = 200
const eligibilityKey = ['api', 'check-username-eligibility']

/**
 * Changes the username, at most once every 30 days (docs/product.md#changing-a-username). The panel is closed
 * whenever the settings dialog opens.
 */
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
  const { control, handleSubmit, formState, setError, clearErrors } = useForm<ChangeUsernameInput>({
    resolver: zodResolver(changeUsernameSchema),
    defaultValues: { newUsername: '' },
    reValidateMode: 'onSubmit',
  })
  const state = useUsernameCheck(useWatch({ control, name: 'newUsername' }), DEBOUNCE_MS)

  const fail = (description: string | undefined) =>
    toast({ ...accountToasts.usernameChangeFailed, description, tone: 'bad' })

  const save = handleSubmit(
    async (input) => {
      try {
        const { user } = await callApi<{ user: UserView }>('POST', '/api/change-username', input)
        queryClient.setQueryData(['api', 'auth', 'user'], user)
        await refreshQueries(queryClient, eligibilityKey)
        // The page is refreshed, because the server renders the dashboard's greeting and the link to the profile.
        router.refresh()
        toast(accountToasts.usernameChanged)
        onDone()
      } catch (failure) {
        setError('newUsername', { message: failureText(failure) })
        fail(failureText(failure))
      }
    },
    ({ newUsername: problem }) => {
      if (problem?.message !== accountTexts.newUsernameRequired) return fail(problem?.message)
      // The toast shows the message, so the field does not repeat it.
      clearErrors()
      toast({ ...accountToasts.usernameRequired, tone: 'bad' })
    },
  )

  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void save(event)}>
      <UsernameField control={control} name="newUsername" id="new-username" label="New username" state={state} />
      <p className="text-sm text-muted">
        Links with your old username work for 30 days. You can change your username again after that.
      </p>
      <Button type="submit" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Saving…' : 'Change username'}
      </Button>
    </form>
  )
}
