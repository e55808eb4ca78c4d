'use client'

import { callApi, failureText } from '@/lib/client/call-api'
import { dropToasts } from '@/lib/drops/messages'
import type { RelaunchTexts } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { useDropChange } from './use-drop-change'

export function useRelaunch(dropId: number, onDone: () => void) {
  return useDropChange<RelaunchTexts>(dropId, {
    call: (id, input) => callApi<SellerDropView>('POST', `/api/drops/${id}/relaunch`, input),
    done: dropToasts.relaunched,
    failed: (error) => ({ ...dropToasts.relaunchFailed, description: failureText(error) }),
    onDone,
  })
}
