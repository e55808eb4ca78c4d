import 'server-only'
import { calendarFile, calendarText, calendarTime } from '@/lib/kernel/calendar-file'
import { DAY_MS } from '@/lib/kernel/time'
import type { BuyerOrderView } from './view'

/** A service has no date yet when it is paid. By this day the seller should have written to arrange one. */
const REMIND_AFTER_DAYS = 3

/**
 * Builds the calendar file of a paid service (RFC 5545): an entry for a whole day, on which the buyer sees whether a
 * date is arranged, with the link of the order page. A second import replaces the entry.
 * @param paidAt when the service was paid
 */
export function bookingCalendar(order: BuyerOrderView, paidAt: Date, appUrl: string): string {
  const url = `${appUrl}/o/${order.token}`
  const day = (at: Date) => at.toISOString().slice(0, 10).replaceAll('-', '')
  const start = new Date(paidAt.getTime() + REMIND_AFTER_DAYS * DAY_MS)
  const seller = order.seller.username ? `@${order.seller.username}` : order.seller.firstName
  return calendarFile([
    `UID:order-${order.reference}-${day(paidAt)}@${new URL(appUrl).hostname}`,
    `DTSTAMP:${calendarTime(paidAt)}`,
    `DTSTART;VALUE=DATE:${day(start)}`,
    `DTEND;VALUE=DATE:${day(new Date(start.getTime() + DAY_MS))}`,
    `SUMMARY:${calendarText(`Arrange ${order.title} with ${seller}`)}`,
    `DESCRIPTION:${calendarText(`No date yet? Message the seller on your order page.\n${url}`)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
  ])
}
