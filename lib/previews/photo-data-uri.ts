import 'server-only'
import sharp from 'sharp'
import type { DropImageRow } from '@/lib/drops/view'
import { readPhoto } from './read-photo'

/** Reads a stored photo, cropped to a size in pixels, as a data URI; null when there is none. */
export async function photoDataUri(
  image: DropImageRow | null,
  size: { width: number; height: number },
): Promise<string | null> {
  const bytes = await readPhoto(image, size.width)
  if (!bytes) return null
  const jpeg = await sharp(bytes).resize(size.width, size.height, { fit: 'cover' }).jpeg({ quality: 84 }).toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
