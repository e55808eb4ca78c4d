'use client'

import { callApi, failureText } from '@/lib/client/call-api'
import { dropToasts } from '@/lib/drops/messages'
import { openTexts } from '@/lib/drops/editions/open-messages'
import type { SellerDropView } from '@/lib/drops/view'
import { useDropChange } from './use-drop-change'

/**
 * Returns `run`, which ends a drop and shows a toast.
 * @param isAhead whether nobody can buy the drop yet, according to the data on the page. Its start is then canceled,
 *   and the toast says so.
 */
export function useEndDrop(
  { id: dropId, isOpenEdition }: Pick<SellerDropView, 'id' | 'isOpenEdition'>,
  isAhead: boolean,
  onDone: () => void,
) {
  const done = isAhead ? dropToasts.canceled : dropToasts.ended
  return useDropChange<void>(dropId, {
    call: (id) => callApi<SellerDropView>('POST', `/api/drops/${id}/end`),
    done: isOpenEdition ? { ...done, description: isAhead ? openTexts.cancelHint : openTexts.endHint } : done,
    failed: (error) => ({ ...dropToasts.endFailed, description: failureText(error) }),
    onDone,
  })
}
