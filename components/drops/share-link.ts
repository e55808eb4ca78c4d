import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'

/** Copies an address. Returns false where the browser refuses. */
export async function copyAddress(address: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address)
    return true
  } catch {
    return false
  }
}

/** Copies one of our links and shows a toast about the result. */
export async function copyLink(path: string): Promise<void> {
  const isCopied = await copyAddress(new URL(path, window.location.origin).href)
  toast(isCopied ? dropToasts.copied : { ...dropToasts.copyFailed, tone: 'bad' })
}

/** Returns true when the share sheet was closed, or was still open at the next tap; neither is a failure. */
export function isOfTheSheet(error: unknown): boolean {
  return ['AbortError', 'InvalidStateError'].includes((error as Error).name)
}

/** Opens the share sheet on mobile devices that have one, and otherwise copies the link (docs/product.md#sharing). */
export async function shareLink({ title, path }: { title: string; path: string }): Promise<void> {
  const isMobile = matchMedia('(pointer: coarse)').matches
  if (!isMobile || !('share' in navigator)) return copyLink(path)
  try {
    await navigator.share({ title, url: new URL(path, window.location.origin).href })
  } catch (error) {
    if (!isOfTheSheet(error)) await copyLink(path)
  }
}
