'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { FieldErrors, UseFormReturn } from 'react-hook-form'
import { sellerDropsKey } from '@/components/dashboard/seller-drops-key'
import { ApiError } from '@/lib/client/call-api'
import { lightPhoto } from '@/lib/client/light-photo'
import { UploadError } from '@/lib/client/send-body'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import { progressOf, uploadForm, type UploadProgress } from '@/lib/client/upload-form'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { dropTexts, dropToasts, missingText } from '@/lib/drops/messages'
import { type CreateDropForm, createDropTexts, missingInForm } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'
import { newId } from '@/lib/kernel/id'
import { awaitPhotos } from './await-photos'
import { draftStore } from './draft-store'
import type { PhotoQueue } from './photo-queue'

export type Phase =
  | { kind: 'idle' }
  | { kind: 'uploading'; progress: UploadProgress; cancel: () => void }
  /** The upload failed although the server did not refuse the form, so trying again may be enough. */
  | { kind: 'failed'; text: string }
  /** The session has ended. The draft is kept until the seller has signed in again. */
  | { kind: 'signedOut' }
  | { kind: 'success' }

/** The delay before the success page opens, during which the form fades out (docs/product.md#publishing). */
const SUCCESS_MS = 800

const showError = (text: ToastInput) => toast({ ...text, tone: 'bad', durationMs: 5000 })

/** Sends the form and then opens the success page. After a failure, an error is shown and the form keeps its values. */
export function usePublish(
  { getValues, handleSubmit, setError, setValue }: UseFormReturn<CreateDropForm>,
  queue: PhotoQueue,
) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' })
  useLeaveWarning(phase.kind === 'uploading')

  async function publish(form: CreateDropForm) {
    if (phase.kind === 'uploading' || phase.kind === 'success') return
    try {
      const drop = await send(form)
      keepForSuccess(drop)
      void refreshQueries(queryClient, sellerDropsKey)
      setPhase({ kind: 'success' })
      void draftStore.forget()
      drawStory(drop)
      setTimeout(() => router.push(`/success?drop=${encodeURIComponent(drop.identifier)}`), SUCCESS_MS)
    } catch (error) {
      fail(error)
    }
  }

  async function send(form: CreateDropForm): Promise<SellerDropView> {
    // This does not wait for photos that could not be sent. They are sent with the form.
    const photos = awaitPhotos(queue, (progress) =>
      setPhase({ kind: 'uploading', progress, cancel: () => photos.cancel() }),
    )
    await photos.done
    const files = await toFormData(form)
    setPhase({ kind: 'uploading', progress: progressOf(0, 0, 0), cancel: () => upload.cancel() })
    // uploadForm() may report progress before it returns, so only `cancel` may read `upload`.
    const upload = uploadForm<SellerDropView>('/api/drops', files, (progress) =>
      setPhase({ kind: 'uploading', progress, cancel: () => upload.cancel() }),
    )
    return upload.done
  }

  function fail(error: unknown) {
    if (error instanceof UploadError) {
      // An empty message means that the seller canceled the upload.
      if (!error.message) return setPhase({ kind: 'idle' })
      setPhase({ kind: 'failed', text: error.message })
      return showError({ title: 'Error', description: error.message })
    }
    setPhase({ kind: 'idle' })
    if (!(error instanceof ApiError)) return showError({ title: 'Error', description: dropToasts.createFailed })
    if (error.status === 401) {
      setPhase({ kind: 'signedOut' })
      return showError(dropToasts.authenticationRequired)
    }
    // Another tab with the same draft has published. The next press publishes this form as a drop of its own.
    if (error.code === 'FORM_USED') setValue('idempotencyKey', newId('form'))
    const field = fieldOf(error.field, getValues())
    const text = refusalText(error)
    if (field) setError(field, { message: text }, { shouldFocus: true })
    showError({ title: 'Error', description: text })
  }

  /** Announces missing fields or a wrong price by a toast, in addition to the texts at the fields. */
  function refuse(errors: FieldErrors<CreateDropForm>) {
    const missing = missingInForm(getValues())
    if (missing.length > 0) showError({ title: dropTexts.missingTitle, description: missingText(missing) })
    else if (errors.price) showError(dropToasts.invalidPrice)
  }

  return { phase, submit: handleSubmit(publish, refuse) }
}

/**
 * The text fields go first, so that the server has read them before the large parts arrive. A file keeps its own name,
 * because FormData would replace a renamed file by a new object, which `arrivedFiles` does not know as sent.
 */
async function toFormData(values: CreateDropForm): Promise<FormData> {
  const form = new FormData()
  for (const [name, text] of Object.entries(createDropTexts(values))) form.set(name, text)
  const photos = await Promise.all(values.images.map(({ file }) => lightPhoto(file)))
  photos.forEach((photo, position) => form.set(`image${position}`, photo))
  const { productType, digitalSource, digitalFile } = values
  if (productType === 'digital' && digitalSource === 'upload' && digitalFile) {
    form.set('digitalFile', digitalFile)
  }
  return form
}

/** Returns the field of the form that an API error belongs to, or null. */
function fieldOf(field: string | undefined, values: CreateDropForm): keyof CreateDropForm | null {
  if (field?.startsWith('image')) return 'images'
  return field && Object.hasOwn(values, field) ? (field as keyof CreateDropForm) : null
}

/**
 * Returns the server's own message, or a general text for JSON without a message. A response that is not JSON came from
 * a proxy between browser and server, and its status is explained instead (docs/product.md#publishing).
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

/** Requests the story picture while the form fades out, so that the server has drawn it when the seller shares it. */
function drawStory({ identifier }: SellerDropView): void {
  void fetch(`/drop/${encodeURIComponent(identifier)}/story-image`, { priority: 'low' }).catch(() => undefined)
}

function keepForSuccess(drop: SellerDropView): void {
  // Nothing is lost when this fails, because the URL of the success page also names the drop.
  tabStorage.set(storageKeys.createdDrop, JSON.stringify(drop))
}

/** Makes the browser ask before the page is left, because leaving would end an upload. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isActive])
}
