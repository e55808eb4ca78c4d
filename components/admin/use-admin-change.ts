'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { adminKeys } from './admin-keys'
import { useStepUp } from './step-up-provider'

const TOAST_MS = 3_000

type Change = {
  method: 'PATCH' | 'DELETE' | 'POST'
  path: string
  body?: object
  done: { title: string }
  /** The title of SPEC §8; the server's reason stands below it. */
  failed: { title: string }
}

/** A write of the panel: says how it went and renews the lists and figures, whatever came of it. */
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
        [adminKeys.users, adminKeys.drops, adminKeys.stats].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
