import 'server-only'
import type { DropImageRow } from '@/lib/drops/view'
import { photoKey } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'

/**
 * Reads the smallest stored file of a photo that has at least this width in pixels, else the widest; null without a
 * photo.
 */
export async function readPhoto(image: DropImageRow | null, minWidth: number): Promise<Buffer | null> {
  if (!image) return null
  const width = image.widths.find((candidate) => candidate >= minWidth) ?? image.widths.at(-1)
  const object = width ? await storage().open(photoKey(image.key, width)) : null
  return object && Buffer.from(await new Response(object.body).arrayBuffer())
}
