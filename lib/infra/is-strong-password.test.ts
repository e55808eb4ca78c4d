import { isStrongPassword } from './is-strong-password.mjs'

it.each([
  'password-2026',
  'lastcall-demo',
  'changeme2024',
  'changeme-now',
  'abcdefghijkl',
  'iloveyou1234',
  'supersecret1',
  'football1234',
  'Summer2026!!',
  'secretsecret1',
  'P@ssw0rd2026!',
  'aaaaaaaaaaaaaaaa',
  'qwertyuiop12',
  'kT9-wool',
])('"%s" is not strong', (password) => expect(isStrongPassword(password)).toBe(false))

it.each(['kT9-wool-carp-47', 'the operator’s own', 'correct horse battery staple', 'Yd8vXq2MbR4tLw7z', '8f3a1c9e7b2d'])(
  '"%s" is strong',
  (password) => expect(isStrongPassword(password)).toBe(true),
)
