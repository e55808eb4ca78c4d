'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, failureText } from '@/lib/client/call-api'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { toast } from '@/lib/client/toast-store'
import { adminKeys } from './admin-keys'
import { useStepUp } from '@/components/accounts/step-up-provider'

const TOAST_MS = 3_000

type Change = {
  method: 'PATCH' | 'DELETE' | 'POST'
  path: string
  body?: object
  done: { title: string }
  /** The title of the failure toast. The server's reason is shown below it. */
  failed: { title: string }
}

/**
 * Returns a mutation that makes a change in the panel and shows the result in a toast. The lists of users and drops and
 * the four figures are refreshed afterwards, even when the change failed.
 */
export function useAdminChange() {
  const queryClient = useQueryClient()
  const stepUp = useStepUp()
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => stepUp(() => callApi(method, path, body)),
    onSuccess: (_answer, { done }) => toast({ ...done, durationMs: TOAST_MS }),
    onError: (error, { failed }) =>
      toast({ ...failed, description: failureText(error), tone: 'bad', durationMs: TOAST_MS }),
    onSettled: () =>
      Promise.all(
        [adminKeys.users, adminKeys.drops, adminKeys.stats].map((queryKey) => refreshQueries(queryClient, queryKey)),
      ),
  })
}
