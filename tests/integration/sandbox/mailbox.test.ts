import { assertMailbox, isMailboxOpen } from '@/lib/http/sandbox'
import { startAgainWith } from '@/tests/support/start-again-with'

// The mailbox contains links that reset passwords, so strangers must not reach it.
const mailboxRequest = (secret?: string) =>
  new Request('http://localhost:3000/api/sandbox/mail', {
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
  })
const notFound = expect.objectContaining({ code: 'NOT_FOUND' })
const elsewhere = { APP_URL: 'https://preview.example', NEXTAUTH_URL: '', ALLOW_SANDBOX_PAYMENTS: '1' }

it('the mailbox is open on a machine that nobody else can reach', () => {
  startAgainWith({})
  expect(isMailboxOpen()).toBe(true)
  expect(() => assertMailbox(mailboxRequest())).not.toThrow()
})

it.each([
  ['on a public origin', elsewhere],
  ['when HOST lets other machines connect', { HOST: '0.0.0.0' }],
])('the mailbox is closed %s, and the call that lists its emails requires CRON_SECRET', (_name, variables) => {
  startAgainWith(variables)
  expect(isMailboxOpen()).toBe(false)
  expect(() => assertMailbox(mailboxRequest())).toThrow(notFound)
  expect(() => assertMailbox(mailboxRequest('guessed'))).toThrow(notFound)
  expect(() => assertMailbox(mailboxRequest(process.env.CRON_SECRET))).not.toThrow()
})

it.each([
  ['locally', {}],
  ['on a public origin', elsewhere],
])('neither the mailbox nor its call can be used where emails are really sent (%s)', (_name, variables) => {
  startAgainWith({ ...variables, SMTP_URL: 'smtp://mail.example' })
  expect(isMailboxOpen()).toBe(false)
  expect(() => assertMailbox(mailboxRequest(process.env.CRON_SECRET))).toThrow(notFound)
})
