import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { logIn } from '@/lib/accounts/log-in'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { resetPassword } from '@/lib/accounts/reset-password'
import { sendUsername } from '@/lib/accounts/send-username'
import { startSession } from '@/lib/accounts/start-session'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { makeSeller, strangeDevice, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })

async function askForLink(email: string): Promise<string> {
  await requestPasswordReset(visitor(), { email })
  const link = (await mailsTo(email)).at(-1)?.text ?? ''
  return /reset-password\?token=([A-Za-z0-9]{43})/.exec(link)?.[1] ?? ''
}

const reset = (token: string, newPassword = 'a better password') => resetPassword(visitor(), { token, newPassword })
const refused = { code: 'RESET_LINK_INVALID', status: 400, field: 'token' }

it('sets a new password, ends every session and sends the owner an email', async () => {
  const user = await makeSeller()
  const session = await startSession(visitor(), { userId: user.id, userAgent: 'phone' })
  await reset(await askForLink(user.email))
  expect(await findSessionActor(database(), session)).toBeNull()
  expect((await logIn(visitor(), { email: user.email, password: 'a better password' }, strangeDevice)).id).toBe(user.id)
  expect((await mailsTo(user.email)).map((mail) => mail.subject)).toEqual([
    'Reset your password',
    'Your password was changed',
  ])
})

it('lets a link be used once, even by simultaneous requests', async () => {
  const user = await makeSeller()
  const token = await askForLink(user.email)
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => reset(token)))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused)
})

it('accepts only the newest link', async () => {
  const user = await makeSeller()
  const first = await askForLink(user.email)
  const second = await askForLink(user.email)
  await expect(reset(first)).rejects.toMatchObject(refused)
  await expect(reset(second)).resolves.toBeUndefined()
})

it('refuses an expired link, and a link that was never sent', async () => {
  const user = await makeSeller()
  const token = await askForLink(user.email)
  await db().token.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  await expect(reset(token)).rejects.toMatchObject(refused)
  await expect(reset('x'.repeat(43))).rejects.toMatchObject(refused)
})

it('keeps the link usable when the new password is refused', async () => {
  const user = await makeSeller()
  const token = await askForLink(user.email)
  await expect(reset(token, 'password1')).rejects.toMatchObject({ code: 'PASSWORD_TOO_COMMON', field: 'newPassword' })
  await expect(reset(token)).resolves.toBeUndefined()
})

it('does not store the secret of a link in the table of tokens', async () => {
  const user = await makeSeller()
  const token = await askForLink(user.email)
  const rows = await db().token.findMany({ where: { userId: user.id } })
  expect(JSON.stringify(rows)).not.toContain(token)
})

it('emails the username', async () => {
  const user = await makeSeller()
  await sendUsername(visitor(), { email: user.email })
  expect((await mailsTo(user.email))[0]?.text).toContain(`@${user.username}`)
})

it('does nothing for an email address without an account', async () => {
  const email = 'nobody-here@example.com'
  await requestPasswordReset(visitor(), { email })
  await sendUsername(visitor(), { email })
  expect(await mailsTo(email)).toEqual([])
})
