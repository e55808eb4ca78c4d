import 'server-only'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const fontFile = (weight: number) =>
  path.join(
    process.cwd(),
    `node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-${weight}-normal.woff`,
  )

let fonts: Promise<{ name: string; data: Buffer; weight: 400 | 800 }[]> | undefined

/** Loads the fonts of the preview pictures once per process, and again after a failure. */
export function loadFonts() {
  fonts ??= Promise.all(
    ([400, 800] as const).map(async (weight) => ({
      name: 'Bricolage',
      data: await readFile(fontFile(weight)),
      weight,
    })),
  )
  fonts.catch(() => (fonts = undefined))
  return fonts
}
