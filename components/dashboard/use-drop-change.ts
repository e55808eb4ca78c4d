'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isSignedOut } from '@/lib/client/call-api'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { sellerDropsKey } from './seller-drops-key'

type Change<Input> = {
  call: (dropId: number, input: Input) => Promise<unknown>
  done: ToastInput
  failed: (error: unknown) => ToastInput
  onDone: () => void
}

/**
 * Returns `run`, which changes one of the seller's drops, shows the result and refreshes the list. `isSignedOut` says
 * that the last change failed because the session has ended.
 */
export function useDropChange<Input>(dropId: number, { call, done, failed, onDone }: Change<Input>) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Input) => call(dropId, input),
    onSuccess: () => {
      toast(done)
      onDone()
    },
    // A seller whose session has ended sees a message and stays on the page, because the sheet holds what was typed.
    onError: (error) => toast({ ...failed(error), tone: 'bad', durationMs: 5_000 }),
    onSettled: () => refreshQueries(queryClient, sellerDropsKey),
  })
  return { run: mutate, isPending, isSignedOut: isSignedOut(error) }
}
