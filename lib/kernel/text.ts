/** Marks that change the direction of the text after them. Text in one language does not need them. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g
const LONE_SURROGATE = /[\ud800-\udfff]/gu
/** Characters without visible ink: separators, controls, joiners, a blank braille cell and the fillers of Hangul. */
const INVISIBLE = /^[\p{Z}\p{C}\u2800\u115f\u1160\u3164\uffa0]*$/u

/**
 * Reduces a text to one line without direction overrides and line breaks, so that it can be shown within other text.
 * Returns an empty string when no character is visible.
 */
export function toLine(text: string): string {
  const line = text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(DIRECTION_OVERRIDES, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return INVISIBLE.test(line) ? '' : line
}

/**
 * Replaces half characters (lone surrogates) with the replacement character. Postgres refuses them in JSON. Text from
 * JSON, or text that was cut in the middle of an emoji, may contain them.
 */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}

/** Cuts a text to at most `length` UTF-16 units, including the ellipsis. Never splits an emoji or a letter. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (kept.length + segment.length > length - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/**
 * Ends a text with a full stop, unless its last part, which a person has written, already ends a sentence. A title such
 * as "Mug No. 4." or a company such as "Lastcall Inc." needs no second full stop.
 */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Replaces each line end with one character, because browsers count one while a person types, but forms send two. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
