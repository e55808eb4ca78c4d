import { HOUR_MS } from '@/lib/kernel/time'
import { dropChange, outageHours } from './rules'

const now = new Date('2026-11-21T12:00:00Z')
const later = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)
const running = {
  startedAt: later(-10),
  endTime: later(14),
  isActive: true,
  isFeatured: false,
  isPinned: false,
  archivedAt: null,
  hiddenAt: null,
  moderation: 'allowed',
} as const
const over = { ...running, endTime: later(-1), archivedAt: later(-1), isActive: false }
const endedEarly = { ...running, archivedAt: later(-1), isActive: false }

test.each([
  [
    'extending a drop adds the hours to its end, not to the current time',
    running,
    { action: 'extend', hours: 72 },
    { endTime: later(86) },
  ],
  ['extending an ended drop is refused', over, { action: 'extend', hours: 1 }, 'DROP_OVER'],
  ['extending a drop without hours is refused', running, { action: 'extend' }, 'HOURS_REQUIRED'],
  ['ending a drop sets its end to now', running, { action: 'end' }, { endTime: now, archivedAt: now, isActive: false }],
  ['ending an ended drop changes nothing', over, { action: 'end' }, {}],
  [
    'archiving a drop does not change its end time',
    running,
    { action: 'archive' },
    { archivedAt: now, isActive: false },
  ],
  [
    'restoring a drop before its end time keeps the end time',
    endedEarly,
    { action: 'restore' },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(14) },
  ],
  ['restoring an ended drop without hours is refused', over, { action: 'restore' }, 'HOURS_REQUIRED'],
  [
    'restoring a deleted drop without hours after its end time makes it visible as an ended drop',
    { ...over, hiddenAt: now },
    { action: 'restore' },
    { hiddenAt: null },
  ],
  [
    'restoring an ended drop with hours gives it that much time from now',
    over,
    { action: 'restore', hours: 3 },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(3) },
  ],
  [
    'restoring a scheduled drop with hours counts them from its start',
    { ...over, startedAt: later(120), endTime: now },
    { action: 'restore', hours: 24 },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(144) },
  ],
  [
    'restoring a drop that was refused in review overturns the refusal',
    { ...endedEarly, hiddenAt: now, moderation: 'refused' },
    { action: 'restore' },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(14), moderation: 'allowed' },
  ],
  [
    'restoring a drop that waits for review leaves the review open',
    { ...endedEarly, moderation: 'review' },
    { action: 'restore' },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(14) },
  ],
  [
    'a removed drop whose unused keys were downloaded becomes visible again, but stays ended',
    { ...endedEarly, hiddenAt: now, moderation: 'refused', areKeysTaken: true },
    { action: 'restore' },
    { hiddenAt: null, moderation: 'allowed' },
  ],
  [
    'a drop whose unused keys were downloaded is not restored',
    { ...endedEarly, areKeysTaken: true },
    { action: 'restore' },
    'KEYS_TAKEN',
  ],
  [
    'a drop whose unused keys were downloaded gets no more hours',
    { ...over, hiddenAt: now, areKeysTaken: true },
    { action: 'restore', hours: 1 },
    'KEYS_TAKEN',
  ],
  ['pausing a drop makes it inactive', running, { isActive: false }, { isActive: false }],
  ['resuming an ended drop is refused', over, { isActive: true }, 'DROP_OVER'],
  [
    'an ended drop may be restored and resumed together',
    over,
    { isActive: true, action: 'restore', hours: 1 },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(1) },
  ],
  [
    'a patch of flags changes nothing else',
    over,
    { isFeatured: true, isPinned: false },
    { isFeatured: true, isPinned: false },
  ],
  ['hours without an action are refused', running, { hours: 2 }, 'HOURS_REQUIRED'],
] as const)('%s', (_name, drop, patch, expected) => expect(dropChange(drop, patch, now)).toEqual(expected))

test.each([
  ['a minute', 1 / 60, 1],
  ['an hour', 1, 1],
  ['two hours and ten minutes', 2 + 1 / 6, 3],
  ['a week, which is more than one call can add', 7 * 24, 72],
])('after an outage of %s, drops are offered its length in whole hours', (_, hours, offered) => {
  expect(outageHours(later(-hours), now)).toBe(offered)
})
