'use client'

import { callApi, failureText } from '@/lib/client/call-api'
import { dropToasts } from '@/lib/drops/messages'
import type { SellerDropView } from '@/lib/drops/view'
import { useDropChange } from './use-drop-change'

/** @param isAhead whether the drop has not started, so that its start is cancelled */
export function useEndDrop(dropId: number, isAhead: boolean, onDone: () => void) {
  return useDropChange<void>(dropId, {
    call: (id) => callApi<SellerDropView>('POST', `/api/drops/${id}/end`),
    done: isAhead ? dropToasts.cancelled : dropToasts.ended,
    failed: (error) => ({ ...dropToasts.endFailed, description: failureText(error) }),
    onDone,
  })
}
