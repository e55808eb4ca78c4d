/** Marks that override the direction of the text after them. Text in one language never needs them. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g
const LONE_SURROGATE = /[\ud800-\udfff]/gu
/** Characters without visible ink: separators, controls, joiners, a blank braille cell and the fillers of Hangul. */
const INVISIBLE = /^[\p{Z}\p{C}\u2800\u115f\u1160\u3164\uffa0]*$/u

/**
 * Reduces a text to one line for display among other text: without direction overrides and line breaks; empty when
 * nothing of it is visible.
 */
export function toLine(text: string): string {
  const line = text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(DIRECTION_OVERRIDES, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return INVISIBLE.test(line) ? '' : line
}

/** Cuts a text to at most `length` UTF-16 units including the ellipsis; never splits an emoji or letter. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (kept.length + segment.length > length - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Replaces each line end with one character, as it was typed and counted: a browser's form sends two. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
