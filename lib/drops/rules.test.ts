import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import {
  celebrationOf,
  cleanSlug,
  clockDigits,
  clockStage,
  conversionText,
  dropState,
  fileProblem,
  fuseLeft,
  relaunchAt,
  relaunchText,
  safeFileName,
  visitSource,
  slugProblem,
  stampOf,
} from './rules'

const now = new Date('2026-11-20T12:00:00Z')
const live = {
  startedAt: new Date(now.getTime() - 3_600_000),
  endTime: new Date(now.getTime() + HOUR_MS),
  isActive: true,
  archivedAt: null,
  quantity: 5,
  sold: 0,
  isSellerSuspended: false,
  moderation: 'allowed' as const,
}

describe('dropState', () => {
  test.each([
    ['live', {}],
    ['ended', { endTime: now }],
    ['ended', { endTime: new Date(now.getTime() - 1) }],
    ['ended', { archivedAt: now }],
    ['ended', { endTime: now, sold: 5 }],
    ['ended', { startedAt: new Date(now.getTime() + 1), endTime: now, archivedAt: now }],
    ['live', { startedAt: now }],
    ['upcoming', { startedAt: new Date(now.getTime() + 1) }],
    ['paused', { startedAt: new Date(now.getTime() + 1), isSellerSuspended: true }],
    ['soldOut', { sold: 5 }],
    ['paused', { isActive: false }],
    ['paused', { isSellerSuspended: true }],
    ['paused', { moderation: 'review' as const }],
    ['paused', { moderation: 'refused' as const, sold: 5 }],
  ])('is %s for a live drop with the change %j', (state, change) =>
    expect(dropState({ ...live, ...change }, now)).toBe(state),
  )

  it('is live until the last millisecond', () => {
    expect(dropState({ ...live, endTime: new Date(now.getTime() + 1) }, now)).toBe('live')
  })
})

describe('relaunch', () => {
  const endTime = new Date('2026-11-20T12:00:00Z')
  it('is possible from exactly 24 hours after the end', () => {
    expect(relaunchAt(endTime).toISOString()).toBe('2026-11-21T12:00:00.000Z')
    expect(relaunchText(endTime, new Date('2026-11-21T12:00:00Z'))).toBe('Ready to relaunch')
    expect(relaunchText(endTime, new Date('2026-11-20T12:30:00Z'))).toBe('23h 30m until relaunch')
  })
})

test('the remaining part of the running time is 1 at launch, 0 at the end and never outside that range', () => {
  expect(fuseLeft(0, 100, 0)).toBe(1)
  expect(fuseLeft(0, 100, 75)).toBe(0.25)
  expect(fuseLeft(0, 100, 100)).toBe(0)
  expect(fuseLeft(0, 100, -50)).toBe(1)
  expect(fuseLeft(0, 100, 500)).toBe(0)
  expect(fuseLeft(100, 100, 100)).toBe(0)
})

describe('custom links', () => {
  test.each(['low-sun', 'a', '3d-print', 'x'.repeat(50)])('%s is usable', (slug) =>
    expect(slugProblem(slug)).toBeNull(),
  )
  test.each(['123', '-a', 'a-', 'A', 'ä', '', 'x'.repeat(51), 'a/b'])('%s is not a valid link', (slug) =>
    expect(slugProblem(slug)).toBe('slugInvalid'),
  )
  test.each(['admin', 'new', 'opengraph-image', 'dabcdefghi'])('%s is reserved', (slug) =>
    expect(slugProblem(slug)).toBe('slugReserved'),
  )
  it('removes characters that are not allowed as the seller types', () =>
    expect(cleanSlug('My Größe_Drop!-1')).toBe('mygredrop-1'))
})

test('the conversion has one decimal and is 0.0% without views', () => {
  expect(conversionText(1, 3)).toBe('33.3%')
  expect(conversionText(0, 0)).toBe('0.0%')
})

test.each([
  ['book.pdf', 1, null],
  ['BOOK.PDF', 500 * 1024 * 1024, null],
  ['photo.jpeg', 10, null],
  ['book.pdf', 500 * 1024 * 1024 + 1, 'tooLarge'],
  ['book.pdf', 0, 'empty'],
  ['setup.exe', 10, 'badKind'],
  ['pdf', 10, 'badKind'],
])('the problem of a file %s of %i bytes is %s', (name, size, problem) =>
  expect(fileProblem({ name, size })).toBe(problem),
)

test.each([
  ['Field Notes.pdf', 'pdf', 'Field Notes.pdf'],
  ['C:\\music\\song.MP3', 'mp3', 'song.mp3'],
  ['../../etc/passwd', 'zip', 'passwd.zip'],
  ['photo.jpeg', 'jpg', 'photo.jpg'],
  ['invoice.exe', 'pdf', 'invoice.exe.pdf'],
  ['.pdf', 'pdf', 'file.pdf'],
  ['a\u202egpj.b\u0000\r\n.png', 'png', 'agpj.b.png'],
  [`${'x'.repeat(300)}.zip`, 'zip', `${'x'.repeat(100)}.zip`],
] as const)('the name %j of a %s file is cleaned to %j', (name, kind, saved) =>
  expect(safeFileName(name, kind)).toBe(saved),
)

test.each([
  ['', '', '', 'direct'],
  ['ig_story', '', '', 'instagram'],
  ['', 'l.instagram.com', '', 'instagram'],
  ['', '', 'Mozilla/5.0 (iPhone) Instagram 300.0', 'instagram'],
  ['', 't.co', '', 'x'],
  ['', 'notx.com', '', 'other'],
  ['', 'www.tiktok.com', '', 'tiktok'],
  ['', 'wa.me', '', 'whatsapp'],
  ['newsletter', '', '', 'other'],
  ['', 'instagram.com.evil.example', '', 'other'],
])('a visit with the tag %j, the referrer %j and the user agent %j counts as %s', (tag, host, userAgent, source) => {
  expect(visitSource({ tag, host, userAgent })).toBe(source)
})

test.each<[string, number, string, string]>([
  ['a day', 24 * HOUR_MS, 'early', '24hours 00min 00sec'],
  ['exactly an hour', HOUR_MS, 'early', '01hours 00min 00sec'],
  ['a moment less than an hour', HOUR_MS - 1, 'lastHour', '59min 59sec'],
  ['exactly a minute', MINUTE_MS, 'lastHour', '01min 00sec'],
  ['a moment less than a minute', MINUTE_MS - 1, 'lastMinute', '59sec'],
  ['nine seconds', 9_000, 'lastMinute', '9sec'],
  ['part of the last second', 1, 'lastMinute', '0sec'],
  ['the end', 0, 'over', '0sec'],
  ['past the end', -5_000, 'over', '0sec'],
])('the countdown at %s (%i ms left) is in the stage %s and shows "%s"', (_name, remainingMs, stage, shown) => {
  expect(clockStage(remainingMs)).toBe(stage)
  expect(
    clockDigits(remainingMs)
      .map((part) => part.join(''))
      .join(' '),
  ).toBe(shown)
})

test.each([
  ['live', 3, 5, null],
  ['paused', 3, 5, null],
  ['ended', 0, 5, { title: 'Ended', text: null }],
  ['ended', 12, 1_200, { title: 'Ended', text: '12 of 1,200 sold' }],
  ['soldOut', 1, 1, { title: 'Sold out', text: '1 sold' }],
  ['ended', 5, 5, { title: 'Ended', text: 'All 5 sold' }],
  ['soldOut', 1_200, 1_200, { title: 'Sold out', text: 'All 1,200 sold' }],
] as const)('the stamp of a drop that is %s with %i of %i sold is %j', (state, sold, quantity, stamp) => {
  const times = { startedAt: '2026-11-21T12:00:00Z', endTime: '2026-11-22T12:00:00Z' }
  expect(stampOf({ state, sold, quantity, ...times })).toEqual(stamp)
})

test('the stamp of a drop whose start was canceled says so, unless followers had bought it', () => {
  const drop = {
    state: 'ended',
    sold: 0,
    quantity: 5,
    startedAt: '2026-11-22T12:00:00Z',
    endTime: '2026-11-21T12:00:00Z',
  }
  expect(stampOf({ ...drop, state: 'ended' })).toEqual({ title: 'Canceled', text: null })
  expect(stampOf({ ...drop, state: 'ended', isOpenEdition: true })).toEqual({ title: 'Canceled', text: null })
  expect(stampOf({ ...drop, state: 'ended', sold: 1 })).toEqual({ title: 'Ended', text: '1 of 5 sold' })
})

test('a first sale and a sell-out are celebrated, each once', () => {
  const none = { state: 'live', purchases: 0 } as const
  const one = { state: 'live', purchases: 1 } as const
  const all = { state: 'soldOut', purchases: 5 } as const
  expect(celebrationOf(none, one)).toBe('firstSale')
  expect(celebrationOf(one, all)).toBe('soldOut')
  expect(celebrationOf(none, all)).toBe('soldOut')
  expect([celebrationOf(none, none), celebrationOf(one, one), celebrationOf(all, all)]).toEqual([null, null, null])
  expect(celebrationOf(all, { state: 'ended', purchases: 5 })).toBeNull()
})
