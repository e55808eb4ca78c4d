import 'server-only'
import sharp from 'sharp'
import type { DropImageRow } from '@/lib/drops/view'
import { photoKey } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'

/** Reads a stored photo, cropped to a size in pixels, as a data URI; null when there is none. */
export async function photoDataUri(
  image: DropImageRow | null,
  size: { width: number; height: number },
): Promise<string | null> {
  if (!image) return null
  const width = image.widths.find((candidate) => candidate >= size.width) ?? image.widths.at(-1)
  const object = width ? await storage().open(photoKey(image.key, width)) : null
  if (!object) return null
  const bytes = Buffer.from(await new Response(object.body).arrayBuffer())
  const jpeg = await sharp(bytes).resize(size.width, size.height, { fit: 'cover' }).jpeg({ quality: 84 }).toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
