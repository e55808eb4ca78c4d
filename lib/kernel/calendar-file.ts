import { brand } from './brand'

/** The maximum length of a line in bytes, without its line break (RFC 5545, 3.1). */
const LINE_BYTES = 75

/** Formats a time in UTC, such as 20261127T190000Z. */
export const calendarTime = (at: Date): string => `${at.toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`

/** Escapes a string (RFC 5545, 3.3.11). Other control characters are not allowed and are left out. */
export function calendarText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** Folds a line into several of at most 75 bytes, without cutting a letter in two. */
function fold(line: string): string {
  const encoder = new TextEncoder()
  let [folded, bytes] = ['', 0]
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (bytes + size > LINE_BYTES) [folded, bytes] = [`${folded}\r\n `, 1]
    folded += letter
    bytes += size
  }
  return folded
}

/**
 * Builds a calendar file with one event (RFC 5545).
 * @param lines the lines of the event, whose texts were escaped by calendarText()
 */
export function calendarFile(lines: readonly string[]): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:-//${brand.name}//Drops//EN`, 'CALSCALE:GREGORIAN']
  const all = [...head, 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR']
  return all.map((line) => `${fold(line)}\r\n`).join('')
}
