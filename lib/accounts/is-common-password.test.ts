import { isCommonPassword } from './is-common-password'

test.each([
  'password',
  'Password1',
  'password123',
  'qwerty12345',
  '1q2w3e4r5t',
  'aaaaaa',
  'abcdef',
  '987654321',
  '        ',
])('"%s" is a common password', (password) => expect(isCommonPassword(password)).toBe(true))

test.each(['a mug with speckles', 'lastcall-demo', 'abcdeg', 'zzzzzzy'])('"%s" is not a common password', (password) =>
  expect(isCommonPassword(password)).toBe(false),
)
