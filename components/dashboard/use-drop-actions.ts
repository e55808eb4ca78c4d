'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, callApi, failureText, isSignedOut } from '@/lib/client/api'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import { uploadForm } from '@/lib/client/upload'
import { dropToasts } from '@/lib/drops/messages'
import type { EditDropFields, RelaunchInput } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { sellerDropsKey } from './seller-drops-key'

type Change<Input> = {
  call: (dropId: number, input: Input) => Promise<unknown>
  done: ToastInput
  failed: (error: unknown) => ToastInput
  onDone: () => void
}

/** A change of one of the seller's drops: refreshes the list, says what came of it. */
function useDropChange<Input>(dropId: number, { call, done, failed, onDone }: Change<Input>) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Input) => call(dropId, input),
    onSuccess: () => {
      toast(done)
      onDone()
    },
    // Whose session has ended is told so, and stays: the sheet holds what was typed.
    onError: (error) => toast({ ...failed(error), tone: 'bad', durationMs: 5_000 }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sellerDropsKey }),
  })
  return { run: mutate, isPending, isSignedOut: isSignedOut(error) }
}

export function useRelaunch(dropId: number, onDone: () => void) {
  return useDropChange<RelaunchInput>(dropId, {
    call: (id, input) => callApi<SellerDropView>('POST', `/api/drops/${id}/relaunch`, input),
    done: dropToasts.relaunched,
    failed: (error) => ({ ...dropToasts.relaunchFailed, description: failureText(error) }),
    onDone,
  })
}

export function useEndDrop(dropId: number, onDone: () => void) {
  return useDropChange<void>(dropId, {
    call: (id) => callApi<SellerDropView>('POST', `/api/drops/${id}/end`),
    done: dropToasts.ended,
    failed: (error) => ({ ...dropToasts.endFailed, description: failureText(error) }),
    onDone,
  })
}

export function useDeleteDrop(dropId: number, onDone: () => void) {
  return useDropChange<void>(dropId, {
    call: (id) => callApi('DELETE', `/api/drops/${id}`),
    done: dropToasts.deleted,
    // Trying again does not help while somebody pays, or who is not logged in: then the server says what does.
    failed: (error) =>
      error instanceof ApiError && (error.code === 'IN_CHECKOUT' || isSignedOut(error))
        ? { ...dropToasts.deleteFailed, description: error.text }
        : dropToasts.deleteFailed,
    onDone,
  })
}

export type DropEdit = EditDropFields & { images: File[] }

export function useEditDrop(dropId: number, onDone: () => void) {
  return useDropChange<DropEdit>(dropId, {
    call: sendEdit,
    done: dropToasts.edited,
    failed: (error) => ({ ...dropToasts.editFailed, description: failureText(error) }),
    onDone,
  })
}

/** JSON without pictures, a form with them. */
function sendEdit(dropId: number, { images, ...fields }: DropEdit): Promise<SellerDropView> {
  const path = `/api/drops/${dropId}`
  if (images.length === 0) return callApi<SellerDropView>('PATCH', path, fields)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  images.forEach((image, position) => form.set(`image${position}`, image))
  return uploadForm<SellerDropView>(path, form, undefined, 'PATCH').done
}
