import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'

/** Copies a link of ours, with the texts of SPEC §8. */
export async function copyLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(path, window.location.origin).href)
    toast(dropToasts.copied)
  } catch {
    toast({ ...dropToasts.copyFailed, tone: 'bad' })
  }
}

/** Whether the share sheet was closed, or is still open at the next tap: no failure. */
export function isOfTheSheet(error: unknown): boolean {
  return ['AbortError', 'InvalidStateError'].includes((error as Error).name)
}

/** The share sheet where there is one on a mobile device, else a copied link (SPEC §2). */
export async function shareLink({ title, path }: { title: string; path: string }): Promise<void> {
  const isMobile = matchMedia('(pointer: coarse)').matches
  if (!isMobile || !('share' in navigator)) return copyLink(path)
  try {
    await navigator.share({ title, url: new URL(path, window.location.origin).href })
  } catch (error) {
    if (!isOfTheSheet(error)) await copyLink(path)
  }
}
