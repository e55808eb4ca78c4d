import type { User } from '@prisma/client'
import { toUserView } from './view'

const now = new Date('2026-11-21T12:00:00Z')
const user = (suspension: Partial<User>) =>
  ({ isSuspended: false, suspendedUntil: null, createdAt: now, emailConfirmedAt: null, ...suspension }) as User

test.each([
  ['no suspension', {}, false],
  ['a suspension without an end', { isSuspended: true }, true],
  ['a suspension that ends later', { isSuspended: true, suspendedUntil: new Date('2026-11-22T12:00:00Z') }, true],
  ['a suspension that has ended', { isSuspended: true, suspendedUntil: now }, false],
] as const)('%s', (_what, suspension, expected) => {
  expect(toUserView(user(suspension), now).isSuspended).toBe(expected)
})
