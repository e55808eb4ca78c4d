import 'server-only'
import sharp from 'sharp'

/** Chat apps do not show a preview picture that is larger. */
const MAX_BYTES = 300_000

/**
 * From the finest to what always fits. A PNG has 256 colours or 16, there is nothing useful between; softening comes last,
 * since it softens the letters too.
 */
const STEPS = [
  { colours: 256, blur: 0 },
  { colours: 16, blur: 0 },
  { colours: 16, blur: 3 },
] as const

/** Makes a PNG small enough for every app. */
export async function shrinkPng(png: Buffer): Promise<Buffer> {
  let smaller = png
  for (const { colours, blur } of STEPS) {
    const source = blur > 0 ? sharp(png).blur(blur) : sharp(png)
    smaller = await source.png({ palette: true, colours, dither: 0.6, effort: 4, compressionLevel: 6 }).toBuffer()
    if (smaller.length < MAX_BYTES) break
  }
  return smaller
}
