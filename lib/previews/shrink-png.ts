import 'server-only'
import sharp from 'sharp'

/** Chat apps do not show larger preview pictures. */
const MAX_BYTES = 300_000

/**
 * From the best quality to one that always fits. A PNG palette has 256 or 16 colours; sizes between save little.
 * Blurring comes last, because it blurs the letters too.
 */
const STEPS = [
  { colours: 256, blur: 0 },
  { colours: 16, blur: 0 },
  { colours: 16, blur: 3 },
] as const

/** Makes a PNG small enough for all apps. */
export async function shrinkPng(png: Buffer): Promise<Buffer> {
  let smaller = png
  for (const { colours, blur } of STEPS) {
    const source = blur > 0 ? sharp(png).blur(blur) : sharp(png)
    smaller = await source.png({ palette: true, colours, dither: 0.6, effort: 4, compressionLevel: 6 }).toBuffer()
    if (smaller.length < MAX_BYTES) break
  }
  return smaller
}
