import 'server-only'
import sharp from 'sharp'

/** The largest preview picture, in bytes. Chat apps do not show larger ones. */
const MAX_BYTES = 300_000

/**
 * The steps from the best quality to the smallest file. A palette has 256 or 16 colors, because sizes in between save
 * little. Blurring comes last, because it blurs the letters too.
 */
const STEPS = [
  { colors: 256, blur: 0 },
  { colors: 16, blur: 0 },
  { colors: 16, blur: 3 },
] as const

/**
 * Shrinks a PNG with the first step that makes it smaller than MAX_BYTES. If no step does, the result is that of the
 * last step.
 */
export async function shrinkPng(png: Buffer): Promise<Buffer> {
  let smaller = png
  for (const { colors, blur } of STEPS) {
    const source = blur > 0 ? sharp(png).blur(blur) : sharp(png)
    smaller = await source.png({ palette: true, colors, dither: 0.6, effort: 4, compressionLevel: 6 }).toBuffer()
    if (smaller.length < MAX_BYTES) break
  }
  return smaller
}
