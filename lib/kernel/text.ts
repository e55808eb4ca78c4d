/** Marks that turn the direction of everything after them around. Text of one language needs none of them. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g
const LONE_SURROGATE = /[\ud800-\udfff]/gu
/** What takes no ink: separators, controls, joiners; a blank braille cell and the fillers of Hangul. */
const INVISIBLE = /^[\p{Z}\p{C}\u2800\u115f\u1160\u3164\uffa0]*$/u

/** One line as it is shown among other text: in its own direction, without line breaks; empty when nothing of it is to be seen. */
export function toLine(text: string): string {
  const line = text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(DIRECTION_OVERRIDES, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return INVISIBLE.test(line) ? '' : line
}

/** At most `length` UTF-16 units with the mark that something is missing; never half an emoji or letter. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (kept.length + segment.length > length - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Line ends as they were typed and counted: a browser's form sends each as two characters. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
