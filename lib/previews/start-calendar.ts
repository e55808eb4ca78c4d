import 'server-only'
import { dropPath } from '@/lib/drops/rules'
import { priceOf } from '@/lib/drops/zone-messages'
import type { DropRow } from '@/lib/drops/view'
import { brand } from '@/lib/kernel/brand'
import { SECOND_MS } from '@/lib/kernel/time'

/** The maximum length of a line in bytes, without its line break (RFC 5545, 3.1). */
const LINE_BYTES = 75

/** Formats a time in UTC, such as 20261127T190000Z. */
const toUtc = (at: Date) => `${at.toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`

/** Escapes a string (RFC 5545, 3.3.11). Other control characters are not allowed and are left out. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** Folds a line into several of at most 75 bytes, without cutting a letter in two. */
function fold(line: string): string {
  let [folded, bytes] = ['', 0]
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > LINE_BYTES) [folded, bytes] = [`${folded}\r\n `, 1]
    folded += letter
    bytes += size
  }
  return folded
}

/**
 * Builds the calendar file of a scheduled drop (RFC 5545). The event of a run always has the same UID, and a higher
 * SEQUENCE after each edit. A calendar therefore replaces the event when the seller has moved the start.
 */
export function startCalendar(drop: DropRow, appUrl: string): string {
  const url = appUrl + dropPath(drop)
  const sequence = Math.max(0, Math.floor((drop.updatedAt.getTime() - drop.createdAt.getTime()) / SECOND_MS))
  const seller = drop.sellerUsername ? ` by @${drop.sellerUsername}` : ''
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${brand.name}//Drops//EN`,
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    `UID:drop-${drop.uniqueId}-${drop.run}@${new URL(appUrl).hostname}`,
    `DTSTAMP:${toUtc(drop.updatedAt)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:${toUtc(drop.startedAt)}`,
    `DTEND:${toUtc(drop.endTime)}`,
    `SUMMARY:${escapeText(`${drop.title} starts`)}`,
    `DESCRIPTION:${escapeText(`${drop.title}${seller}, ${priceOf(drop)}.\n${url}`)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(`${drop.title} starts in ten minutes`)}`,
    'TRIGGER:-PT10M',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}
