import { updateAccountSchema } from '@/lib/accounts/schema'
import { togglePlatformSchema } from '@/lib/platform/schema'
import {
  auditFilterSchema,
  eventFilterSchema,
  eventIdSchema,
  extendLiveDropsFormSchema,
  extendLiveDropsSchema,
  hoursFormSchema,
  idParams,
  listDropsSchema,
  listUsersSchema,
  orderFilterSchema,
  typedWordSchema,
  updateDropSchema,
} from './schema'

const refuses = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  expect([value, schema.safeParse(value).success]).toEqual([value, false])

test.each([
  {},
  null,
  [],
  'isActive',
  { isActive: 'true' },
  { isActive: null },
  { isActive: 1 },
  { isActive: undefined },
  { action: 'delete' },
  { action: 'extend', hours: 0 },
  { action: 'extend', hours: 73 },
  { action: 'extend', hours: 1.5 },
  { action: 'extend', hours: '24' },
  { action: 'extend', hours: Number.NaN },
  { action: 'extend', hours: -1 },
  { isPinned: true, priceCents: 1 },
  { moderation: 'allowed' },
  { userId: 1 },
])('a change of a drop with the body %j is refused', (patch) => refuses(updateDropSchema, patch))

test.each([
  {},
  null,
  { plan: 'gold' },
  { plan: null },
  { isVerified: 'yes' },
  { isSuspended: 0 },
  { isAdmin: true },
  { plan: 'pro', isAdmin: true },
  { passwordHash: 'x' },
  { suspensionReason: 'alone' },
  { isSuspended: true, suspensionDays: 0 },
  { isSuspended: true, suspensionDays: 3_651 },
  { isSuspended: true, suspensionDays: 1.5 },
  { isSuspended: true, suspensionReason: 'x'.repeat(501) },
  { isSuspended: true, suspensionReason: '\uD800' },
])('a change of an account with the body %j is refused', (patch) => refuses(updateAccountSchema, patch))

test.each([{ isActive: 'false' }, { isActive: null }, { active: false }, []])(
  'the kill switch does not accept %j',
  (body) => refuses(togglePlatformSchema, body),
)

test.each(['-1', '1.5', '1e3', 'abc', '', ' 1', '0x1', '１', '1;DROP TABLE', '9'.repeat(41)])('%j is not an id', (id) =>
  refuses(idParams, { id }),
)

test.each(['2147483648', '9223372036854775808', '9'.repeat(40)])(
  'the id %s is lowered to the largest possible id',
  (id) => {
    expect(idParams.parse({ id })).toEqual({ id: 2_147_483_647 })
  },
)

test.each([{ hours: 0 }, { hours: 73 }, { hours: 2, endedSince: 'yesterday' }, { hours: 2, all: true }, {}])(
  'the call for all live drops refuses %j',
  (input) => refuses(extendLiveDropsSchema, input),
)

test.each(['', "evt_1' OR 1=1", 'evt 1', 'x'.repeat(256), 5])('%j is not the id of an event', (id) =>
  refuses(eventIdSchema, { id }),
)

test('lists refuse invalid parameters and return at most two hundred rows', () => {
  for (const query of [{ cursor: 'x' }, { cursor: '-1' }, { limit: 'all' }, { q: 'x'.repeat(201) }, { show: 'gold' }]) {
    refuses(listUsersSchema, query)
    refuses(listDropsSchema, query)
  }
  refuses(listDropsSchema, { type: 'boat' })
  expect(listUsersSchema.parse({ limit: '999' }).limit).toBe(200)
  expect(listUsersSchema.parse({ limit: '0' }).limit).toBe(1)
  expect(listUsersSchema.parse({}).limit).toBe(100)
})

test('a page ignores invalid filters in its URL', () => {
  const nonsense = {
    action: '%',
    before: 'x',
    show: 'gold',
    actor: ['a', 'b'],
    target: 'x'.repeat(99),
    q: 'x'.repeat(999),
  }
  expect(auditFilterSchema.parse(nonsense)).toEqual({})
  expect(orderFilterSchema.parse(nonsense)).toEqual({ show: 'all', before: 'x' })
  expect(eventFilterSchema.parse(nonsense)).toEqual({ show: 'all' })
  const nul = 'a\u0000b'
  expect(auditFilterSchema.parse({ actor: nul, target: nul })).toEqual({})
  expect(orderFilterSchema.parse({ q: nul, before: nul })).toEqual({ show: 'all' })
})

test.each(['', '0', '1.5', '73', 'x', '-1'])('%j is not a valid number of hours', (hours) =>
  expect(hoursFormSchema.safeParse({ hours }).error?.issues[0]?.message).toBe(
    'Hours must be a whole number from 1 to 72.',
  ),
)

it('turns the form for all live drops into input that the call accepts', () => {
  const { hours, endedSince } = extendLiveDropsFormSchema.parse({ hours: '2', endedSince: '2026-03-01T10:30' })
  expect(hours).toBe(2)
  expect(endedSince).toBe(new Date(2026, 2, 1, 10, 30).toISOString())
  expect(extendLiveDropsSchema.safeParse({ hours, endedSince }).success).toBe(true)
  expect(extendLiveDropsFormSchema.parse({ hours: '2', endedSince: null })).toEqual({ hours: 2, endedSince: null })
  expect(extendLiveDropsFormSchema.safeParse({ hours: '2', endedSince: '' }).success).toBe(false)
})

it('accepts the confirmation word in upper or lower case, and refuses any other word', () => {
  const isRight = (word: string) => typedWordSchema('EXTEND').safeParse({ word }).success
  expect([' extend ', 'EXTEND', 'extended', ''].map(isRight)).toEqual([true, true, false, false])
})
