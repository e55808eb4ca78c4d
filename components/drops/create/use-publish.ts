'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { FieldErrors, UseFormReturn } from 'react-hook-form'
import { sellerDropsKey } from '@/components/dashboard/seller-drops-key'
import { ApiError } from '@/lib/client/call-api'
import { UploadError } from '@/lib/client/send-body'
import { storageKeys } from '@/lib/client/storage-keys'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import { progressOf, uploadForm, type UploadProgress } from '@/lib/client/upload-form'
import { dropTexts, dropToasts, missingText } from '@/lib/drops/messages'
import { type CreateDropForm, createDropTexts, missingInForm } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { draftStore } from './draft-store'

export type Phase =
  | { kind: 'idle' }
  | { kind: 'uploading'; progress: UploadProgress; cancel: () => void }
  /** The connection failed and not the form, so trying again may be enough. */
  | { kind: 'failed'; text: string }
  | { kind: 'success' }

/** The delay before the success page opens, during which the form fades out (docs/product.md#publishing). */
const SUCCESS_MS = 800

const showError = (text: ToastInput) => toast({ ...text, tone: 'bad', durationMs: 5000 })

/** Sends the form and goes on to the success page. When something is wrong it says so and leaves the form as it is. */
export function usePublish({ getValues, handleSubmit, setError }: UseFormReturn<CreateDropForm>) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' })
  useLeaveWarning(phase.kind === 'uploading')

  async function publish(form: CreateDropForm) {
    if (phase.kind === 'uploading' || phase.kind === 'success') return
    try {
      const drop = await send(form)
      keepForSuccess(drop)
      void queryClient.invalidateQueries({ queryKey: sellerDropsKey })
      setPhase({ kind: 'success' })
      void draftStore.forget()
      setTimeout(() => router.push(`/success?drop=${encodeURIComponent(drop.identifier)}`), SUCCESS_MS)
    } catch (error) {
      fail(error)
    }
  }

  function send(form: CreateDropForm): Promise<SellerDropView> {
    const upload = uploadForm<SellerDropView>('/api/drops', toFormData(form), (progress) =>
      setPhase({ kind: 'uploading', progress, cancel: upload.cancel }),
    )
    setPhase({ kind: 'uploading', progress: progressOf(0, 0, 0), cancel: upload.cancel })
    return upload.done
  }

  function fail(error: unknown) {
    if (error instanceof UploadError) {
      // An empty message means that the seller cancelled the upload.
      if (!error.message) return setPhase({ kind: 'idle' })
      setPhase({ kind: 'failed', text: error.message })
      return showError({ title: 'Error', description: error.message })
    }
    setPhase({ kind: 'idle' })
    if (!(error instanceof ApiError)) return showError({ title: 'Error', description: dropToasts.createFailed })
    if (error.status === 401) return showError(dropToasts.authenticationRequired)
    const field = fieldOf(error.field, getValues())
    const text = refusalText(error)
    if (field) setError(field, { message: text }, { shouldFocus: true })
    showError({ title: 'Error', description: text })
  }

  /** Missing fields and a wrong price are announced by a toast as well as at the field. */
  function refuse(errors: FieldErrors<CreateDropForm>) {
    const missing = missingInForm(getValues())
    if (missing.length > 0) showError({ title: dropTexts.missingTitle, description: missingText(missing) })
    else if (errors.price) showError(dropToasts.invalidPrice)
  }

  return { phase, submit: handleSubmit(publish, refuse) }
}

/** The texts go first, so that the server has read them before the large parts arrive. */
function toFormData(values: CreateDropForm): FormData {
  const form = new FormData()
  for (const [name, text] of Object.entries(createDropTexts(values))) form.set(name, text)
  values.images.forEach(({ file }, position) => form.set(`image${position}`, file, file.name))
  const { productType, digitalSource, digitalFile } = values
  if (productType === 'digital' && digitalSource === 'upload' && digitalFile) {
    form.set('digitalFile', digitalFile, digitalFile.name)
  }
  return form
}

/** Which field of the form an API error belongs to. */
function fieldOf(field: string | undefined, values: CreateDropForm): keyof CreateDropForm | null {
  if (field?.startsWith('image')) return 'images'
  return field && Object.hasOwn(values, field) ? (field as keyof CreateDropForm) : null
}

/**
 * Returns the server's own message. An answer from something between browser and server is explained by its status
 * (docs/product.md#publishing).
 */
function refusalText(error: ApiError): string {
  if (error.serverText) return error.serverText
  const body = error.message.slice(`${error.status}: `.length)
  try {
    JSON.parse(body)
    return dropToasts.createFailed
  } catch {
    return dropToasts.httpError(error.status, body)
  }
}

function keepForSuccess(drop: SellerDropView): void {
  try {
    sessionStorage.setItem(storageKeys.createdDrop, JSON.stringify(drop))
  } catch {
    // Nothing is lost when this fails, because the address of the success page names the drop too.
  }
}

/** The browser asks before the page is left, because leaving would end an upload. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isActive])
}
