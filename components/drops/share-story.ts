import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'
import { isShareSheetError } from './share-link'

/**
 * Hands the story picture to a phone's share sheet. On other devices, and on phones without file sharing, it is
 * downloaded.
 */
export async function shareStory(identifier: string): Promise<void> {
  try {
    const response = await fetch(`/drop/${encodeURIComponent(identifier)}/story-image`)
    if (!response.ok) throw new Error(`the story image was refused with status ${response.status}`)
    const file = new File([await response.blob()], `${identifier}-story.jpg`, { type: 'image/jpeg' })
    const isMobile = matchMedia('(pointer: coarse)').matches
    if (isMobile && navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] })
    else download(file)
  } catch (error) {
    if (!isShareSheetError(error)) toast({ ...dropToasts.storyFailed, tone: 'bad' })
  }
}

function download(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  // After a minute the download has begun, so the object URL is no longer needed.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
