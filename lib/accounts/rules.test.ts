import { cleanUsername, fieldOfErrorText, isReservedUsername, offeredTimezone, usernameCandidates } from './rules'

test('a typed username is reduced to at most 20 letters from a to z, digits and underscores', () => {
  expect(cleanUsername('Mira Kéramik-99!')).toBe('mirakramik99')
  expect(cleanUsername('x'.repeat(30))).toHaveLength(20)
})

test.each([
  ['Europe/Paris', 'Europe/Paris'],
  ['Europe/Vienna', 'Europe/Paris'],
  ['Europe/Lisbon', 'Europe/London'],
  ['America/Toronto', 'America/New_York'],
  ['Asia/Singapore', 'Asia/Shanghai'],
  ['Asia/Kolkata', undefined],
  ['America/Phoenix', undefined],
  ['Nowhere/Else', undefined],
  ['', undefined],
])('the time zone %j of a browser is offered as %j', (zone, offered) => expect(offeredTimezone(zone)).toBe(offered))

test('the names of pages and of the platform are reserved', () => {
  for (const name of ['admin', 'api', 'login', 'lastcall']) expect(isReservedUsername(name)).toBe(true)
  expect(isReservedUsername('mira')).toBe(false)
})

test.each([
  ...['admin_', 'support_', 'ad_min', 'check_out', 'last_call', 'lastcall_'],
  ...['lastcall_support', 'official_lastcall', 'my_last_call', 'lastcall__team'],
])('the username %s could be mistaken for the platform, so it is reserved', (name) =>
  expect(isReservedUsername(name)).toBe(true),
)

test.each(['mira_drops', 'the_mira', 'lastcaller', 'last_caller', 'lasting_call', 'admirer', 'a__b'])(
  'the username %s is not reserved',
  (name) => expect(isReservedUsername(name)).toBe(false),
)

test('suggested usernames are valid, differ from each other and do not include the given name', () => {
  const found = usernameCandidates('mira', () => 0.5)
  expect(new Set(found).size).toBe(found.length)
  for (const name of found) expect(name).toMatch(/^[a-z0-9][a-z0-9_]{2,19}$/)
  expect(found).not.toContain('mira')
})

test('no suggested username ends with an underscore', () => {
  for (const name of ['mira_____________', 'm_______________________']) {
    for (const found of usernameCandidates(name, () => 0.5)) expect(found).toMatch(/[a-z0-9]$/)
  }
})

test.each([
  ['login', 'Email is required', 'email'],
  ['login', 'Wrong password', 'password'],
  ['login', 'The username is odd', null],
  ['signup', 'An account with this email already exists.', 'email'],
  ['signup', 'This username is already taken.', 'username'],
  ['signup', 'Something else', null],
] as const)('on the %s form, the error text "%s" belongs to the field %s', (mode, text, field) =>
  expect(fieldOfErrorText(text, mode)).toBe(field),
)
