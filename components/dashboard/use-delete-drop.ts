'use client'

import { ApiError, callApi, isSignedOut } from '@/lib/client/call-api'
import { dropToasts } from '@/lib/drops/messages'
import { useDropChange } from './use-drop-change'

export function useDeleteDrop(dropId: number, onDone: () => void) {
  return useDropChange<void>(dropId, {
    call: (id) => callApi('DELETE', `/api/drops/${id}`),
    done: dropToasts.deleted,
    // Trying again does not help while someone is paying, or when the seller is signed out. The server's message then
    // says what to do.
    failed: (error) =>
      error instanceof ApiError && (error.code === 'IN_CHECKOUT' || isSignedOut(error))
        ? { ...dropToasts.deleteFailed, description: error.text }
        : dropToasts.deleteFailed,
    onDone,
  })
}
