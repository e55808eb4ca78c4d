import { changeUsernameSchema, resetFormSchema, signupSchema, suspendFormSchema } from './schema'

const valid = { firstName: 'Mira', lastName: 'K', username: 'mira_k', email: 'mira@example.com', password: 'secret-7' }
const problem = (change: object) => signupSchema.safeParse({ ...valid, ...change }).error?.issues[0]

it('accepts a valid sign-up and lowercases its email address and username', () => {
  expect(signupSchema.parse({ ...valid, email: 'Mira@Example.COM', username: 'Mira_K' })).toMatchObject({
    email: 'mira@example.com',
    username: 'mira_k',
  })
})

test.each(['a@b', 'a b@c.de', 'a@b.de,c@d.de', '"a@evil.com"@v.com', 'a@b.de\r\nBcc: x@y.z', '<a@b.de>', 'a@-b.de'])(
  '%j is not an email address',
  (email) => expect(problem({ email })?.message).toBe('Please enter a valid email address.'),
)

test.each(['ab', '_abc', 'x'.repeat(21), 'mïra', 'mi ra', 'аdmin'])('%j is not a username', (username) =>
  expect(problem({ username })?.path).toEqual(['username']),
)

test.each(['', '  ', '\t'])('a username of %j is reported as missing, not as malformed', (username) =>
  expect(problem({ username })).toMatchObject({
    path: ['username'],
    message: 'Please fill in all required fields.',
  }),
)
it('refuses reserved names', () =>
  expect(problem({ username: 'admin' })?.message).toBe('Please choose a different username.'))
it('refuses a name that ends with an underscore, even when the username changes', () => {
  const message = 'Please end your username with a letter or a number.'
  expect(problem({ username: 'mira_' })?.message).toBe(message)
  expect(changeUsernameSchema.safeParse({ newUsername: '@Mira_' }).error?.issues[0]?.message).toBe(message)
  expect(changeUsernameSchema.safeParse({ newUsername: 'mi_ra' }).data).toEqual({ newUsername: 'mi_ra' })
})
it('requires a password of at least six characters', () =>
  expect(problem({ password: '12345' })?.message).toBe('Password must be at least 6 characters long.'))
it('refuses a password of more than 256 characters', () =>
  expect(problem({ password: 'x'.repeat(257) })?.path).toEqual(['password']))
it('refuses an object in place of an email address', () =>
  expect(problem({ email: { contains: '@' } })?.path).toEqual(['email']))

describe('the form for a new password', () => {
  const typed = { token: 'secret', newPassword: 'long enough', confirmation: 'long enough' }
  const first = (change: object) => resetFormSchema.safeParse({ ...typed, ...change }).error?.issues[0]

  it('accepts two equal passwords', () => expect(first({})).toBeUndefined())
  it('reports a password that is too short before it reports that the two differ', () =>
    expect(first({ newPassword: '1234567', confirmation: 'x' })).toMatchObject({
      path: ['newPassword'],
      message: 'Password must be at least 8 characters long.',
    }))
  it('reports two different passwords at the first of the two fields', () =>
    expect(first({ confirmation: 'long enoug' })).toMatchObject({
      path: ['newPassword'],
      message: 'Please make sure both passwords are identical.',
    }))
  it('reports a missing token before anything else', () =>
    expect(first({ token: '', newPassword: '' })?.message).toBe('Password reset token is missing.'))
})

it('a suspension needs a reason and one of the offered lengths', () => {
  expect(suspendFormSchema.parse({ reason: ' Copies. ', days: '' })).toEqual({ reason: 'Copies.', days: '' })
  const problem = (form: object) => suspendFormSchema.safeParse(form).error?.issues[0]
  expect(problem({ reason: ' ', days: '30' })?.message).toBe('Please give a reason. The seller will read it.')
  expect(problem({ reason: 'Copies.', days: '8' })?.path).toEqual(['days'])
})
