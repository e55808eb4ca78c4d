import 'server-only'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The outline of a piece of text: SVG path elements with y pointing up from the baseline, and the width in em. */
export type Outline = { path: string; unitsPerEm: number; widthEm: number }

/**
 * Font packages in the order in which they are tried; the first one that can draw the whole piece of text is used. Each
 * package is split into slices of a few hundred characters, so only the slices that a title needs are loaded. The
 * packages of all three lists take 21 MB on disk, and no memory until they are used.
 */
const FAMILIES = ['noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'] as const
/** Chinese and Japanese have characters in common but draw some of them differently. A text with kana is Japanese. */
const CHINESE = ['noto-sans-sc', 'noto-sans-kr', 'noto-sans-jp'] as const
const JAPANESE = ['noto-sans-jp', 'noto-sans-kr', 'noto-sans-sc'] as const
type Family = (typeof FAMILIES)[number] | (typeof CHINESE)[number]

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const WEIGHT = 800

const packageFile = (...parts: string[]) => path.join(process.cwd(), 'node_modules', ...parts)

type Slice = { name: string; ranges: [first: number, last: number][] }
const slices = new Map<Family, Promise<Slice[]>>()

/** Returns the ranges of characters that each file of a font family contains, from the list in its package. */
function listSlices(family: Family): Promise<Slice[]> {
  let known = slices.get(family)
  if (!known) {
    known = readFile(packageFile('@fontsource-variable', family, 'unicode.json'), 'utf8').then((text) =>
      Object.entries(JSON.parse(text) as Record<string, string>).map(([name, ranges]) => ({
        name: name.replace(/[[\]]/g, ''),
        ranges: ranges.split(',').map((range) => {
          const [first = 0, last = first] = range
            .replace(/U\+/i, '')
            .split('-')
            .map((hex) => Number.parseInt(hex, 16))
          return [first, last]
        }),
      })),
    )
    slices.set(family, known)
    known.catch(() => slices.delete(family))
  }
  return known
}

type Shaper = (text: string) => Outline | null
const KEPT_FONTS = 60
const fonts = new Map<string, Promise<Shaper>>()

/**
 * Loads one slice and returns the function that shapes text with it. The libraries for shaping and decompression are
 * loaded with the first slice.
 */
function openFont(family: Family, slice: string): Promise<Shaper> {
  const key = `${family}-${slice}`
  let font = fonts.get(key)
  if (!font) {
    font = loadFont(packageFile('@fontsource-variable', family, 'files', `${key}-wght-normal.woff2`))
    fonts.set(key, font)
    font.catch(() => fonts.delete(key))
    const oldest = fonts.keys().next()
    if (fonts.size > KEPT_FONTS && !oldest.done) fonts.delete(oldest.value)
  }
  return font
}

async function loadFont(file: string): Promise<Shaper> {
  const [harfbuzz, { decompress }, packed] = await Promise.all([
    import('harfbuzzjs'),
    import('wawoff2'),
    readFile(file),
  ])
  const face = new harfbuzz.Face(new harfbuzz.Blob(await decompress(packed)))
  const font = new harfbuzz.Font(face)
  font.setVariations([new harfbuzz.Variation('wght', WEIGHT)])
  return (text) => {
    const buffer = new harfbuzz.Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    harfbuzz.shape(font, buffer)
    const positions = buffer.getGlyphPositions()
    let advance = 0
    const paths: string[] = []
    for (const [at, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
      // Glyph 0 is the box that fonts show for a missing character.
      if (glyph === 0) return null
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {}
      paths.push(`<path transform="translate(${advance + xOffset} ${yOffset})" d="${font.glyphToPath(glyph)}"/>`)
      advance += xAdvance
    }
    return { path: paths.join(''), unitsPerEm: face.upem, widthEm: advance / face.upem }
  }
}

/**
 * Draws a piece of text in one script with the bundled fonts, in extra bold.
 * @param context the whole text that contains the piece. It decides between the Chinese and the
 *   Japanese form of a character.
 * @returns null when no slice of a font has all characters of the piece
 */
export async function outlineOf(text: string, context: string): Promise<Outline | null> {
  const code = text.codePointAt(0) ?? 0
  for (const family of [...FAMILIES, ...(KANA.test(context) ? JAPANESE : CHINESE)]) {
    for (const { name, ranges } of await listSlices(family)) {
      if (!ranges.some(([first, last]) => code >= first && code <= last)) continue
      const outline = (await openFont(family, name))(text)
      if (outline) return outline
    }
  }
  return null
}

/**
 * Returns an emoji as SVG (Twemoji, CC BY 4.0), or null for an emoji without a bundled picture, such as a newer one.
 */
export async function emojiSvg(emoji: string): Promise<string | null> {
  const codes = [...emoji].map((letter) => letter.codePointAt(0)!.toString(16))
  // The file names leave out U+FE0F (show as a picture), except in joined emoji.
  const names = [codes, codes.filter((code) => code !== 'fe0f')].map((parts) => parts.join('-'))
  const file = names.map((name) => packageFile('@twemoji', 'svg', `${name}.svg`)).find((name) => existsSync(name))
  return file ? readFile(file, 'utf8') : null
}
