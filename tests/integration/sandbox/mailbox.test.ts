import { assertMailbox, isMailboxOpen } from '@/lib/http/sandbox'
import { startAgainWith } from '@/tests/support/restart'

// The mailbox holds links that reset passwords.
const asking = (secret?: string) =>
  new Request('http://localhost:3000/api/sandbox/mail', {
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
  })
const notFound = expect.objectContaining({ code: 'NOT_FOUND' })
const elsewhere = { APP_URL: 'https://preview.example', NEXTAUTH_URL: '', ALLOW_SANDBOX_PAYMENTS: '1' }

it('is open on a machine that nobody else can reach', () => {
  startAgainWith({})
  expect(isMailboxOpen()).toBe(true)
  expect(() => assertMailbox(asking())).not.toThrow()
})

it.each([
  ['on a public origin', elsewhere],
  ['when HOST lets others in', { HOST: '0.0.0.0' }],
])('is closed %s; its call needs CRON_SECRET', (_name, variables) => {
  startAgainWith(variables)
  expect(isMailboxOpen()).toBe(false)
  expect(() => assertMailbox(asking())).toThrow(notFound)
  expect(() => assertMailbox(asking('guessed'))).toThrow(notFound)
  expect(() => assertMailbox(asking(process.env.CRON_SECRET))).not.toThrow()
})

it.each([
  ['locally', {}],
  ['on a public origin', elsewhere],
])('does not exist where mail is really sent, %s', (_name, variables) => {
  startAgainWith({ ...variables, SMTP_URL: 'smtp://mail.example' })
  expect(isMailboxOpen()).toBe(false)
  expect(() => assertMailbox(asking(process.env.CRON_SECRET))).toThrow(notFound)
})
