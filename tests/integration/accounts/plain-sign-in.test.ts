// Sends the sign-in forms as a browser without JavaScript does.
import { generateSync } from 'otplib'
import { POST as sendLogin } from '@/app/(auth)/login/send/route'
import { POST as sendCode } from '@/app/(auth)/two-factor/send/route'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { accountError, accountTexts } from '@/lib/accounts/messages'
import { startSession } from '@/lib/accounts/start-session'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { createCookieJar, keepCookieJar } from '@/lib/http/cookies/cookie-jar'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'
import { platformError } from '@/lib/platform/messages'
import { contextFor, makeSeller, visitor } from '@/tests/support/factories'

let jar = createCookieJar()
jest.mock('next/headers', () => ({ cookies: async () => jar, headers: async () => new Headers() }))

beforeEach(() => {
  jar = createCookieJar()
})
afterAll(closeDatabase)

const password = 'speckled mug'
const PAGE = { accept: 'text/html', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
const makeOwner = async () => makeSeller({ passwordHash: await hashPassword(password) })
const sessionsOf = (userId: number) => db().session.count({ where: { userId } })

/** Sends a form to the route to which the middleware passes it on. */
async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = PAGE) {
  const request = new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  })
  keepCookieJar(request, jar)
  const post = path.startsWith('/login') ? sendLogin : sendCode
  const answer = await post(request, { params: Promise.resolve({}) })
  const html = (await answer.text()).replaceAll('&#39;', "'")
  return { status: answer.status, location: answer.headers.get('location'), html, headers: answer.headers }
}

it('signs in by username or email, and returns only to paths of this site', async () => {
  const { id, username, email } = await makeOwner()
  const returns: [target: string, leadsTo: string][] = [
    ['', '/'],
    ['?redirect=%2Fcreate', '/create'],
    ['?redirect=https%3A%2F%2Fevil.example', '/'],
    ['?redirect=%2F%2Fevil.example', '/'],
    ['?redirect=%2F%5Cevil.example', '/'],
  ]
  for (const [target, leadsTo] of returns) {
    const identifier = target === '' ? email : ` @${username}`
    const { status, location } = await send(`/login/send${target}`, { identifier, password })
    expect([status, location]).toEqual([303, leadsTo])
    expect(jar.get(SESSION_COOKIE)?.value).toBeTruthy()
  }
  expect(await sessionsOf(id)).toBe(returns.length)
})

it('shows a wrong password, keeps the typed name but not the password, and says when there were too many', async () => {
  const { id } = await makeOwner()
  const fields = { identifier: 'someone"<b>', password: 'a wrong "one"' }
  const wrong = await send('/login/send?redirect=%2Fcreate', fields)
  expect(wrong.status).toBe(401)
  expect(wrong.html).toContain(accountTexts.invalidLogin)
  expect(wrong.html).toContain('value="someone&#34;&#60;b&#62;"')
  expect(wrong.html).not.toContain('a wrong')
  expect(wrong.html).toContain('action="/login?redirect=%2Fcreate"')
  for (let attempt = 0; attempt < 4; attempt += 1) await send('/login/send', fields)
  const locked = await send('/login/send', fields)
  expect(locked.status).toBe(429)
  expect(locked.html).toContain('Too many attempts. Please try again in 15 minutes.')
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(60)
  expect((await send('/login/send', { identifier: '', password: '' })).html).toContain(accountTexts.missingFields)
  expect(await sessionsOf(id)).toBe(0)
})

it('asks for the second factor before it signs in', async () => {
  const user = await makeOwner()
  const secretOfSession = await startSession(visitor(), { userId: user.id, userAgent: 'phone' })
  const actor = (await findSessionActor(database(), secretOfSession))!
  const { secret } = await startTwoFactor(contextFor(actor), { password })
  const recoveryCodes = await confirmTwoFactor(contextFor(actor), { code: generateSync({ secret }) })
  const before = await sessionsOf(user.id)

  const login = await send('/login/send?redirect=%2Fcreate', { identifier: user.username!, password })
  expect([login.status, login.location]).toEqual([303, '/two-factor?redirect=%2Fcreate'])
  expect(jar.get(SESSION_COOKIE)).toBeUndefined()
  const wrong = await send('/two-factor/send?redirect=%2Fcreate', { code: 'wrong-code' })
  expect(wrong.status).toBe(403)
  expect(wrong.html).toContain(accountTexts.wrongCode)
  expect(wrong.html).toContain('action="/two-factor?redirect=%2Fcreate"')
  expect(await sessionsOf(user.id)).toBe(before)
  const right = await send('/two-factor/send?redirect=%2Fcreate', { code: recoveryCodes[0]! })
  expect([right.status, right.location]).toEqual([303, '/create'])
  expect(await sessionsOf(user.id)).toBe(before + 1)

  jar = createCookieJar()
  const expired = await send('/two-factor/send?redirect=%2Fcreate', { code: recoveryCodes[1]! })
  expect(expired.status).toBe(401)
  expect(expired.html).toContain(accountError('SECOND_STEP_EXPIRED').message)
  expect(expired.html).toContain('href="/login?redirect=%2Fcreate"')
  expect(expired.html).not.toContain('<form')
})

it('refuses the forms of other sites', async () => {
  const { id, username } = await makeOwner()
  const origins: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const headers of origins) {
    const foreign = { accept: 'text/html', ...headers }
    const login = await send('/login/send', { identifier: username!, password }, foreign)
    const code = await send('/two-factor/send', { code: '123456' }, foreign)
    for (const { status, html } of [login, code]) {
      expect(status).toBe(403)
      expect(html).toContain(platformError('CROSS_ORIGIN').message)
    }
  }
  expect(await sessionsOf(id)).toBe(0)
})
