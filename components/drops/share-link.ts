import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'

/** Copies a text. Returns false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies one of our links and shows a toast about the result. */
export async function copyLink(path: string): Promise<void> {
  const isCopied = await copyText(new URL(path, window.location.origin).href)
  toast(isCopied ? dropToasts.copied : { ...dropToasts.copyFailed, tone: 'bad' })
}

/**
 * Returns true for the error of a share sheet that was closed, or that was still open at the next tap. Neither is a
 * failure.
 */
export function isShareSheetError(error: unknown): boolean {
  return ['AbortError', 'InvalidStateError'].includes((error as Error).name)
}

/** Copies a caption and shows a toast about the result. */
export async function copyCaption(caption: string): Promise<void> {
  toast((await copyText(caption)) ? dropToasts.captionCopied : { ...dropToasts.captionCopyFailed, tone: 'bad' })
}

/**
 * Opens the share sheet on mobile devices that have one, and otherwise copies the link (docs/product.md#sharing).
 * `text` is shared together with the link. Apps that accept only a link leave it out.
 */
export async function shareLink({ title, path, text }: { title: string; path: string; text?: string }): Promise<void> {
  const isMobile = matchMedia('(pointer: coarse)').matches
  if (!isMobile || !('share' in navigator)) return copyLink(path)
  try {
    await navigator.share({ title, ...(text ? { text } : {}), url: new URL(path, window.location.origin).href })
  } catch (error) {
    if (!isShareSheetError(error)) await copyLink(path)
  }
}
