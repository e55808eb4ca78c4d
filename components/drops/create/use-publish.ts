'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { sellerDropsKey } from '@/components/dashboard/seller-drops-key'
import { ApiError } from '@/lib/client/api'
import { UploadError } from '@/lib/client/send-body'
import { storageKeys } from '@/lib/client/storage-keys'
import { progressOf, uploadForm, type UploadProgress } from '@/lib/client/upload'
import { dropToasts } from '@/lib/drops/messages'
import type { SellerDropView } from '@/lib/drops/view'
import { forgetDraft } from './draft-store'
import { type Content, fieldOf, type Problem, toFormData } from './form-values'

type Phase =
  | { kind: 'idle' }
  | { kind: 'uploading'; progress: UploadProgress; cancel: () => void }
  /** The connection failed and not the form, so trying again may be enough. */
  | { kind: 'failed'; text: string }
  | { kind: 'success' }

/** How long the created drop fades out before its success page opens (docs/product.md#publishing). */
const SUCCESS_MS = 800

/** Sends the form and opens the success page. `onProblem` receives what prevents publishing. */
export function usePublish(onProblem: (problem: Problem) => void) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' })
  useLeaveWarning(phase.kind === 'uploading')

  async function publish(content: Content) {
    if (phase.kind === 'uploading' || phase.kind === 'success') return
    try {
      const drop = await send(content)
      keepForSuccess(drop)
      void queryClient.invalidateQueries({ queryKey: sellerDropsKey })
      setPhase({ kind: 'success' })
      void forgetDraft()
      setTimeout(() => router.push(`/success?drop=${encodeURIComponent(drop.identifier)}`), SUCCESS_MS)
    } catch (error) {
      fail(error)
    }
  }

  function send(content: Content): Promise<SellerDropView> {
    const upload = uploadForm<SellerDropView>('/api/drops', toFormData(content), (progress) =>
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
      return onProblem({ errors: {}, toast: { title: 'Error', description: error.message } })
    }
    setPhase({ kind: 'idle' })
    if (!(error instanceof ApiError)) {
      return onProblem({ errors: {}, toast: { title: 'Error', description: dropToasts.createFailed } })
    }
    if (error.status === 401) return onProblem({ errors: {}, toast: dropToasts.authenticationRequired })
    const field = fieldOf(error.field)
    const text = refusalText(error)
    onProblem({ errors: field ? { [field]: text } : {}, toast: { title: 'Error', description: text } })
  }

  return { phase, publish }
}

/**
 * Returns the server's own message. An answer from something between browser and server is explained by its status
 * (docs/product.md#publishing).
 */
function refusalText(error: ApiError): string {
  if (error.said) return error.said
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
