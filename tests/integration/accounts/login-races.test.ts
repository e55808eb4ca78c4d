// A login whose password was checked before the owner changed the password or took the account back must not open a
// session afterwards. A thief who signs in again and again could otherwise stay signed in.
import { generateSync } from 'otplib'
import { POST as sendLogin } from '@/app/(auth)/login/send/route'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { issueToken, issueUndo } from '@/lib/accounts/issue-token'
import { resetPassword } from '@/lib/accounts/reset-password'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { createCookieJar, keepCookieJar } from '@/lib/http/cookies/cookie-jar'
import { type Context, transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'

let jar = createCookieJar()
jest.mock('next/headers', () => ({ cookies: async () => jar, headers: async () => new Headers() }))

beforeEach(() => {
  jar = createCookieJar()
})
afterAll(closeDatabase)

const password = 'speckled mug'
const makeOwner = async () => makeSeller({ passwordHash: await hashPassword(password), emailConfirmedAt: new Date() })
const openSessions = (userId: number) => db().session.count({ where: { userId, revokedAt: null } })

async function logIn(identifier: string): Promise<number> {
  const request = new Request('http://localhost:3000/login/send', {
    method: 'POST',
    body: new URLSearchParams({ identifier, password }),
    headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  })
  keepCookieJar(request, jar)
  return (await sendLogin(request, { params: Promise.resolve({}) })).status
}

/**
 * Runs a change of an account. A login begins before the change is committed, with the password from before, and waits
 * for the change.
 */
async function logInDuring(change: (tx: Context) => Promise<unknown>, identifier: string): Promise<number> {
  const { login } = await transaction(visitor(), async (tx) => {
    await change(tx)
    const login = logIn(identifier)
    expect(await untilWaits('FOR NO KEY UPDATE', login)).toBe(true)
    return { login }
  })
  return login
}

it('a login that was being checked when the owner took the account back opens no session', async () => {
  const owner = await makeOwner()
  const { secret } = await issueUndo(visitor(), owner)
  expect(await logInDuring((tx) => confirmEmail(tx, { token: secret }), owner.email)).toBe(401)
  expect(await openSessions(owner.id)).toBe(0)
})

it('a login that was being checked when the owner reset the password opens no session', async () => {
  const owner = await makeOwner()
  const { secret } = await issueToken(visitor(), { userId: owner.id, purpose: 'passwordReset' })
  const reset = (tx: Context) => resetPassword(tx, { token: secret, newPassword: 'a new speckled mug' })
  expect(await logInDuring(reset, owner.email)).toBe(401)
  expect(await openSessions(owner.id)).toBe(0)
})

it('a login with the password alone opens no session when two-factor sign-in is turned on meanwhile', async () => {
  const owner = await makeOwner()
  const actor = actorOf(owner)
  const { secret } = await startTwoFactor(contextFor(actor), { password })
  const turnOn = (tx: Context) => confirmTwoFactor({ ...tx, actor }, { code: generateSync({ secret }) })
  expect(await logInDuring(turnOn, owner.email)).toBe(401)
  expect(await openSessions(owner.id)).toBe(0)
})

it('a login during another change of the account opens a session', async () => {
  const owner = await makeOwner()
  const rename = (tx: Context) => tx.db.user.update({ where: { id: owner.id }, data: { firstName: 'Robin' } })
  expect(await logInDuring(rename, owner.email)).toBe(303)
  expect(await openSessions(owner.id)).toBe(1)
})
