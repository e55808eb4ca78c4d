import 'server-only'
import { dropPath } from '@/lib/drops/rules'
import { priceOf } from '@/lib/drops/delivery/zone-messages'
import type { DropRow } from '@/lib/drops/view'
import { calendarFile, calendarText, calendarTime } from '@/lib/kernel/calendar-file'
import { SECOND_MS } from '@/lib/kernel/time'

/**
 * Builds the calendar file of a scheduled drop (RFC 5545). The event of a run always has the same UID, and a higher
 * SEQUENCE after each edit. A calendar therefore replaces the event when the seller has moved the start.
 */
export function startCalendar(drop: DropRow, appUrl: string): string {
  const url = appUrl + dropPath(drop)
  const sequence = Math.max(0, Math.floor((drop.updatedAt.getTime() - drop.createdAt.getTime()) / SECOND_MS))
  const seller = drop.sellerUsername ? ` by @${drop.sellerUsername}` : ''
  return calendarFile([
    `UID:drop-${drop.uniqueId}-${drop.run}@${new URL(appUrl).hostname}`,
    `DTSTAMP:${calendarTime(drop.updatedAt)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:${calendarTime(drop.startedAt)}`,
    `DTEND:${calendarTime(drop.endTime)}`,
    `SUMMARY:${calendarText(`${drop.title} starts`)}`,
    `DESCRIPTION:${calendarText(`${drop.title}${seller}, ${priceOf(drop)}.\n${url}`)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${calendarText(`${drop.title} starts in ten minutes`)}`,
    'TRIGGER:-PT10M',
    'END:VALARM',
  ])
}
