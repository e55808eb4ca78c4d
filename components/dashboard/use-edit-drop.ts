'use client'

import { callApi, failureText } from '@/lib/client/call-api'
import { uploadForm } from '@/lib/client/upload-form'
import { dropToasts } from '@/lib/drops/messages'
import type { EditDropTexts } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { useDropChange } from './use-drop-change'

export type DropEdit = EditDropTexts & { images: File[]; digitalFile?: File | null }

export function useEditDrop(dropId: number, onDone: () => void) {
  return useDropChange<DropEdit>(dropId, {
    call: sendEdit,
    done: dropToasts.edited,
    failed: (error) => ({ ...dropToasts.editFailed, description: failureText(error) }),
    onDone,
  })
}

/** Sends JSON when there are no new files, and a form when there are. */
function sendEdit(dropId: number, { images, digitalFile, ...fields }: DropEdit): Promise<SellerDropView> {
  const path = `/api/drops/${dropId}`
  if (images.length === 0 && !digitalFile) return callApi<SellerDropView>('PATCH', path, fields)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.set(name, Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''))
  images.forEach((image, position) => form.set(`image${position}`, image))
  if (digitalFile) form.set('digitalFile', digitalFile)
  return uploadForm<SellerDropView>(path, form, undefined, 'PATCH').done
}
