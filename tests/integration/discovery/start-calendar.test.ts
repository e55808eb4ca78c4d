import ICAL from 'ical.js'
import { findPublicDrop } from '@/lib/drops/queries'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { bookingCalendar } from '@/lib/orders/booking-calendar'
import { findBuyerOrder } from '@/lib/orders/queries'
import { startCalendar } from '@/lib/previews/start-calendar'
import { makeDrop } from '@/tests/support/factories'
import { openCheckout, payAndSettle } from '@/tests/support/shop'

afterAll(closeDatabase)

const APP = 'https://shop.example.com'

async function calendarOf(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const startedAt = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY_MS)
  const made = await makeDrop({ startedAt, endTime: new Date(startedAt.getTime() + 24 * HOUR_MS), ...overrides })
  const row = (await findPublicDrop(database(), made.uniqueId))!
  const text = startCalendar(row, APP)
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[] as ConstructorParameters<typeof ICAL.Component>[0])
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
  return { row, text, calendar, event }
}

it('contains the start and the end of the drop in UTC, its link and an alarm', async () => {
  const { row, event, calendar } = await calendarOf()
  expect(event.startDate.toJSDate()).toEqual(row.startedAt)
  expect(event.endDate.toJSDate()).toEqual(row.endTime)
  expect(event.startDate.zone).toBe(ICAL.Timezone.utcTimezone)
  expect(event.component.getFirstPropertyValue('url')).toBe(`${APP}/drop/${row.uniqueId}`)
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
  expect(calendar.getFirstPropertyValue('prodid')).toBeTruthy()
  // A calendar with a method would have to name an organizer (RFC 5546, 3.2.1).
  expect(calendar.getFirstPropertyValue('method')).toBeNull()
  const alarm = event.component.getFirstSubcomponent('valarm')!
  expect(String(alarm.getFirstPropertyValue('trigger'))).toBe('-PT10M')
})

it('keeps every letter of a title that has to be escaped and folded', async () => {
  const title = 'Mug; “blue”, 50 % \\ off 🏺 – größer, ねこの湯のみ، فنجان. And more words so that the line is long'
  const { text, event } = await calendarOf({ title })
  expect(event.summary).toBe(`${title} starts`)
  expect(event.description.startsWith(title)).toBe(true)
  const lines = text.split('\r\n')
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(lines.at(-1)).toBe('')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  // Folding cuts no letter in two.
  expect(text).not.toContain('\uFFFD')
})

it('keeps its UID and gets a higher sequence number when the start is moved', async () => {
  const { row, event } = await calendarOf()
  const startedAt = new Date(row.startedAt.getTime() + HOUR_MS)
  const updatedAt = new Date(row.createdAt.getTime() + 5_000)
  await db().drop.update({ where: { id: row.id }, data: { startedAt, updatedAt } })
  const again = startCalendar((await findPublicDrop(database(), row.uniqueId))!, APP)
  const moved = new ICAL.Event(new ICAL.Component(ICAL.parse(again)).getFirstSubcomponent('vevent')!)
  expect(moved.uid).toBe(event.uid)
  expect(moved.startDate.toJSDate()).toEqual(startedAt)
  expect(moved.sequence).toBeGreaterThan(event.sequence)
})

it('a paid service gets an entry for the third day', async () => {
  const drop = await makeDrop({ productType: 'service', title: 'Portrait, one hour' })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId)
  const { token } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const order = (await findBuyerOrder(db(), token))!
  const paidAt = new Date('2026-11-29T10:00:00Z')
  const event = new ICAL.Event(
    new ICAL.Component(ICAL.parse(bookingCalendar(order, paidAt, APP))).getFirstSubcomponent('vevent')!,
  )
  expect(event.startDate.toString()).toBe('2026-12-02')
  expect(event.startDate.isDate).toBe(true)
  expect(event.summary).toMatch(/^Arrange Portrait, one hour with @/)
  expect(event.component.getFirstPropertyValue('url')).toBe(`${APP}/o/${token}`)
})
