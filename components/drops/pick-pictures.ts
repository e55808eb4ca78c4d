import { toast } from '@/lib/client/toast-store'
import { dropTexts, dropToasts, tooManyImagesText } from '@/lib/drops/messages'
import { MAX_IMAGES } from '@/lib/drops/rules'
import { MAX_IMAGE_BYTES } from '@/lib/uploads/rules'

/** The types that a seller can pick. The server checks what a file really is by reading its bytes. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

/**
 * Returns the pictures among the offered files, but no more than fit beside the `present` pictures that the drop
 * already has. If files are left out, a toast names one reason.
 */
export function pickPictures(offered: File[], present: number): File[] {
  if (offered.length === 0) return []
  const good = offered.filter((file) => PICTURE_TYPES.includes(file.type) && file.size <= MAX_IMAGE_BYTES)
  const [bad] = offered.filter((file) => !good.includes(file))
  const reason = PICTURE_TYPES.includes(bad?.type ?? '') ? dropTexts.imageTooLarge : dropTexts.notAnImage
  const slots = MAX_IMAGES - present
  if (good.length === 0) complain(dropTexts.noImagesTitle, `${bad?.name ?? 'This file'} ${reason}`)
  else if (slots <= 0) complain(dropToasts.maximumReached.title, dropToasts.maximumReached.description)
  else if (good.length > slots) complain(dropToasts.tooManyImages, tooManyImagesText(slots))
  else if (bad) complain('Error', `${bad.name} ${reason}`)
  return good.slice(0, Math.max(0, slots))
}

function complain(title: string, description: string): void {
  toast({ title, description, tone: 'bad', durationMs: 5000 })
}
