import type { User } from '@prisma/client'
import { toUserView } from './view'

const now = new Date('2026-11-21T12:00:00Z')
const user = (suspension: Partial<User>) =>
  ({ isSuspended: false, suspendedUntil: null, createdAt: now, emailConfirmedAt: null, ...suspension }) as User

test.each([
  ['an account without a suspension is not suspended', {}, false],
  ['an account whose suspension has no end is suspended', { isSuspended: true }, true],
  [
    'an account whose suspension ends later is suspended',
    { isSuspended: true, suspendedUntil: new Date('2026-11-22T12:00:00Z') },
    true,
  ],
  ['an account whose suspension has ended is not suspended', { isSuspended: true, suspendedUntil: now }, false],
] as const)('%s', (_what, suspension, expected) => {
  expect(toUserView(user(suspension), now).isSuspended).toBe(expected)
})
