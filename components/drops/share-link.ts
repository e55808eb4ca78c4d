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

/** Opens the share sheet on mobile devices that have one, and otherwise copies the link (docs/product.md#sharing). */
export async function shareLink({ title, path }: { title: string; path: string }): Promise<void> {
  const isMobile = matchMedia('(pointer: coarse)').matches
  if (!isMobile || !('share' in navigator)) return copyLink(path)
  try {
    await navigator.share({ title, url: new URL(path, window.location.origin).href })
  } catch (error) {
    if (!isShareSheetError(error)) await copyLink(path)
  }
}
