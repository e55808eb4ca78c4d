import { HOUR_MS } from '@/lib/kernel/time'
import { dropChange } from './rules'

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
  ['extends from its end, not from now', running, { action: 'extend', hours: 72 }, { endTime: later(86) }],
  ['does not extend an ended drop', over, { action: 'extend', hours: 1 }, 'DROP_OVER'],
  ['does not extend without hours', running, { action: 'extend' }, 'HOURS_REQUIRED'],
  ['ends now', running, { action: 'end' }, { endTime: now, archivedAt: now, isActive: false }],
  ['ending twice changes nothing', over, { action: 'end' }, {}],
  ['archives without touching its time', running, { action: 'archive' }, { archivedAt: now, isActive: false }],
  [
    'restores with the time it had left',
    endedEarly,
    { action: 'restore' },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(14) },
  ],
  ['does not restore an ended drop without hours', over, { action: 'restore' }, 'HOURS_REQUIRED'],
  ['brings a deleted past drop back as past', { ...over, hiddenAt: now }, { action: 'restore' }, { hiddenAt: null }],
  [
    'restores an ended drop with new hours',
    over,
    { action: 'restore', hours: 3 },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(3) },
  ],
  [
    'restores a drop that was refused in review',
    { ...endedEarly, hiddenAt: now, moderation: 'refused' },
    { action: 'restore' },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(14), moderation: 'allowed' },
  ],
  [
    'restores a drop that waits for review and leaves it waiting',
    { ...endedEarly, moderation: 'review' },
    { action: 'restore' },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(14) },
  ],
  ['pauses', running, { isActive: false }, { isActive: false }],
  ['does not resume an ended drop', over, { isActive: true }, 'DROP_OVER'],
  [
    'resumes together with a restore',
    over,
    { isActive: true, action: 'restore', hours: 1 },
    { hiddenAt: null, archivedAt: null, isActive: true, endTime: later(1) },
  ],
  ['changes only the flags', over, { isFeatured: true, isPinned: false }, { isFeatured: true, isPinned: false }],
  ['refuses hours without an action', running, { hours: 2 }, 'HOURS_REQUIRED'],
] as const)('%s', (_name, drop, patch, expected) => expect(dropChange(drop, patch, now)).toEqual(expected))
