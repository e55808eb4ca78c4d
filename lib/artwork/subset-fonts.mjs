// Writes the parts of our two fonts that every page needs: the English letters, the digits and the punctuation of our
// texts. Every page preloads these small files, and fetches the whole files only for other letters (app/fonts.ts).
// Run this script by hand after an update of the fonts or a change of the letters.
//   node lib/artwork/subset-fonts.mjs
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compress, decompress } from 'wawoff2'

/**
 * The functions of HarfBuzz that are used. Its objects are passed as numbers, which are pointers into its memory.
 * @typedef {{ memory: WebAssembly.Memory, malloc: (bytes: number) => number } & Record<HarfBuzzName, (...args:
 *   number[]) => number>} HarfBuzz
 * @typedef {'hb_blob_create' | 'hb_blob_get_data' | 'hb_blob_get_length' | 'hb_face_create' | 'hb_face_reference_blob' |
 *   'hb_set_add' | 'hb_set_clear' | 'hb_subset_input_create_or_fail' | 'hb_subset_input_set' |
 *   'hb_subset_input_set_axis_range' | 'hb_subset_input_set_flags' | 'hb_subset_input_unicode_set' | 'hb_subset_or_fail'} HarfBuzzName
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const FONTS = {
  'bricolage-grotesque-basic.woff2': '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2',
  'geist-basic.woff2': '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
}
/** These letters are the `unicode-range` of both fonts in app/fonts.ts. */
const LETTERS = [...Array.from({ length: 0x5f }, (_, at) => 0x20 + at), ...[...'\u00a0©·×–—‘’“”•…€'].map(codeOf)]
/** Kerning, composed letters and digits of equal width (`.tabular` in app/globals.css). */
const FEATURES = ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum']
/** The lightest, the heaviest and the normal weight that the pages use. */
const WEIGHTS = [400, 800, 400]
/** Constants of hb-subset.h. */
const [WRITABLE, LAYOUT_FEATURES, NO_HINTING] = [2, 6, 1]

/** @param {string} letter */
function codeOf(letter) {
  return letter.codePointAt(0) ?? 0
}

const wasm = await readFile(path.join(root, 'node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm'))
const { instance } = await WebAssembly.instantiate(wasm)
const harfbuzz = /** @type {HarfBuzz} */ (/** @type {unknown} */ (instance.exports))

for (const [name, source] of Object.entries(FONTS)) {
  const whole = await decompress(await readFile(path.join(root, 'node_modules', source)))
  const packed = await compress(subset(whole))
  await writeFile(path.join(root, 'public/fonts', name), packed)
  console.log(`${name}: ${packed.length} bytes`)
}

/**
 * Returns a font with only LETTERS and FEATURES.
 * @param {Uint8Array} font
 * @returns {Uint8Array}
 */
function subset(font) {
  const address = harfbuzz.malloc(font.length)
  new Uint8Array(harfbuzz.memory.buffer).set(font, address)
  const face = harfbuzz.hb_face_create(harfbuzz.hb_blob_create(address, font.length, WRITABLE, 0, 0), 0)
  const input = harfbuzz.hb_subset_input_create_or_fail()
  harfbuzz.hb_subset_input_set_flags(input, NO_HINTING)
  const features = harfbuzz.hb_subset_input_set(input, LAYOUT_FEATURES)
  harfbuzz.hb_set_clear(features)
  for (const feature of FEATURES) harfbuzz.hb_set_add(features, Buffer.from(feature).readUInt32BE())
  // A font with a single weight has no such axis, so the call changes nothing in it.
  harfbuzz.hb_subset_input_set_axis_range(input, face, Buffer.from('wght').readUInt32BE(), ...WEIGHTS)
  const letters = harfbuzz.hb_subset_input_unicode_set(input)
  for (const letter of LETTERS) harfbuzz.hb_set_add(letters, letter)
  const made = harfbuzz.hb_subset_or_fail(face, input)
  if (made === 0) throw new Error('HarfBuzz could not make the smaller font')
  const blob = harfbuzz.hb_face_reference_blob(made)
  const start = harfbuzz.hb_blob_get_data(blob, 0)
  return new Uint8Array(harfbuzz.memory.buffer).slice(start, start + harfbuzz.hb_blob_get_length(blob))
}
