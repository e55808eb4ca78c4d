// Sends the forms for a new account, a confirmed address, a forgotten password or username, and a new password as a
// browser without JavaScript does.
import { POST as sendConfirmation } from '@/app/(auth)/confirm-email/send/route'
import { POST as sendForgotPassword } from '@/app/(auth)/forgot-password/send/route'
import { POST as sendForgotUsername } from '@/app/(auth)/forgot-username/send/route'
import { POST as sendPlan } from '@/app/(auth)/plans/send/route'
import { POST as sendReset } from '@/app/(auth)/reset-password/send/route'
import { POST as sendSignup } from '@/app/(auth)/signup/send/route'
import { logIn } from '@/lib/accounts/log-in'
import { accountError, accountTexts } from '@/lib/accounts/messages'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { createCookieJar, keepCookieJar } from '@/lib/http/cookies/cookie-jar'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'
import { platformError, refusedPage } from '@/lib/platform/messages'
import { makeSeller, strangeDevice, visitor } from '@/tests/support/factories'

let jar = createCookieJar()
jest.mock('next/headers', () => ({ cookies: async () => jar, headers: async () => new Headers() }))
/** What the routes do after their response. */
let afterwards: Promise<unknown>[] = []
jest.mock('next/server', () => ({
  ...jest.requireActual<object>('next/server'),
  after: (work: () => Promise<unknown>) => afterwards.push(work()),
}))

// Each test has a network of its own, because the limits count by network.
let network = 0
beforeEach(() => {
  jar = createCookieJar()
  afterwards = []
  network += 1
})
afterAll(closeDatabase)

const ROUTES = {
  '/confirm-email/send': sendConfirmation,
  '/plans/send': sendPlan,
  '/signup/send': sendSignup,
  '/forgot-password/send': sendForgotPassword,
  '/forgot-username/send': sendForgotUsername,
  '/reset-password/send': sendReset,
}
const PAGE = { accept: 'text/html', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }

/** Sends a form to the route to which the middleware passes it on. */
async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = PAGE) {
  const url = new URL(path, 'http://localhost:3000')
  const request = new Request(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'x-forwarded-for': `10.61.${network}.1`, ...headers },
  })
  keepCookieJar(request, jar)
  const answer = await ROUTES[url.pathname as keyof typeof ROUTES](request, { params: Promise.resolve({}) })
  const html = (await answer.text()).replaceAll('&#39;', "'")
  await Promise.all(afterwards)
  return { status: answer.status, location: answer.headers.get('location'), html, headers: answer.headers }
}

/** Returns the text of the problem at a field of the page, or null. */
const problemAt = (html: string, field: string) =>
  new RegExp(`id="plain-${field}-problem">([^<]*)<`).exec(html)?.[1] ?? null
/** Returns the value that a field of the page has. */
const valueOf = (html: string, field: string) => new RegExp(`id="plain-${field}"[^>]* value="([^"]*)"`).exec(html)?.[1]

let people = 0
function newPerson() {
  const username = `plain_${process.pid}_${(people += 1)}`
  return { firstName: 'Ada', lastName: 'Mill', username, email: `${username}@example.com`, password: 'speckled mug' }
}
const mailsTo = async (to: string) =>
  (await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })).map(({ subject }) => subject)

it('creates an account, signs the browser in, and returns only to paths of this site', async () => {
  const returns: [target: string, leadsTo: string][] = [
    ['', '/'],
    ['?mode=signup&redirect=%2Fcreate', '/create'],
    ['?redirect=%2F%2Fevil.example', '/'],
  ]
  for (const [target, leadsTo] of returns) {
    const person = newPerson()
    jar = createCookieJar()
    const fields = { ...person, username: `@${person.username.toUpperCase()}`, lastName: '' }
    const { status, location } = await send(`/signup/send${target}`, fields)
    expect([status, location]).toEqual([303, leadsTo])
    expect(jar.get(SESSION_COOKIE)?.value).toBeTruthy()
    const user = await db().user.findUniqueOrThrow({ where: { email: person.email } })
    expect(user).toMatchObject({ username: person.username, firstName: 'Ada', lastName: '', plan: 'free' })
    expect(await mailsTo(person.email)).toEqual(['Confirm your email address'])
  }
})

it('shows what is wrong at each field of a sign-up, and keeps everything but the password', async () => {
  const fields = { firstName: '', lastName: '"<b>', username: '_x', email: 'ada', password: 'tiny1' }
  const { status, html } = await send('/signup/send?redirect=%2Fcreate', fields)
  expect(status).toBe(400)
  expect(html).toContain(refusedPage.markedFields)
  expect(problemAt(html, 'firstName')).toBe(accountTexts.missingFields)
  expect(problemAt(html, 'lastName')).toBeNull()
  expect(problemAt(html, 'username')).toBe(accountTexts.usernameStart)
  expect(problemAt(html, 'email')).toBe(accountTexts.invalidEmail)
  expect(problemAt(html, 'password')).toBe(accountTexts.passwordTooShort)
  expect(valueOf(html, 'lastName')).toBe('&#34;&#60;b&#62;')
  expect(valueOf(html, 'username')).toBe('_x')
  expect(valueOf(html, 'email')).toBe('ada')
  expect(valueOf(html, 'password')).toBe('')
  expect(html).not.toContain('tiny1')
  expect(html).toContain('action="/signup?redirect=%2Fcreate"')
  expect(/id="plain-(\w+)"[^>]*autofocus/.exec(html)?.[1]).toBe('firstName')
  expect(jar.get(SESSION_COOKIE)).toBeUndefined()
})

it('refuses a taken username, a taken address and a common password of a sign-up at their fields', async () => {
  const { username, email } = await makeSeller()
  const cases: [fields: Record<string, string>, status: number, field: string, text: string][] = [
    [{ username: username! }, 409, 'username', accountTexts.usernameTaken],
    [{ email }, 409, 'email', accountTexts.emailTaken],
    [{ password: 'password1' }, 400, 'password', accountTexts.passwordTooCommon],
  ]
  for (const [wrong, expected, field, text] of cases) {
    const person = newPerson()
    const { status, html } = await send('/signup/send', { ...person, ...wrong })
    expect([status, problemAt(html, field)]).toEqual([expected, text])
    expect(valueOf(html, 'firstName')).toBe('Ada')
    expect(html).not.toContain(person.password)
    expect(await db().user.count({ where: { username: person.username } })).toBe(0)
  }
})

it('keeps a sign-up for the plan step, which creates the account and signs the browser in', async () => {
  const person = newPerson()
  const kept = await send('/signup/send', { ...person, next: 'plans' })
  expect([kept.status, kept.location]).toEqual([303, '/plans'])
  expect(jar.get(SESSION_COOKIE)).toBeUndefined()
  expect(await db().user.count({ where: { email: person.email } })).toBe(0)
  const chosen = await send('/plans/send', { plan: 'pro' })
  expect([chosen.status, chosen.location]).toEqual([303, '/welcome'])
  expect(jar.get(SESSION_COOKIE)?.value).toBeTruthy()
  const user = await db().user.findUniqueOrThrow({ where: { email: person.email } })
  expect(user).toMatchObject({ username: person.username, plan: 'free' })
})

it('shows a refused sign-up for the plan step again with its own button, and says why a plan cannot be chosen', async () => {
  const person = newPerson()
  const refused = await send('/signup/send', { ...person, password: 'tiny1', next: 'plans' })
  expect([refused.status, problemAt(refused.html, 'password')]).toEqual([400, accountTexts.passwordTooShort])
  expect(refused.html).toContain('<input type="hidden" name="next" value="plans">')
  expect(refused.html).toContain('<button>Choose a plan</button>')
  expect((await send('/plans/send', { plan: 'free' })).location).toBe('/signup')
  await send('/signup/send', { ...person, next: 'plans' })
  await makeSeller({ username: person.username })
  const taken = await send('/plans/send', { plan: 'free' })
  expect(taken.status).toBe(409)
  expect(taken.html).toContain(accountTexts.usernameTaken)
  expect(taken.html).toContain('href="/signup"')
})

it('creates at most five accounts an hour for one network', async () => {
  for (let at = 0; at < 5; at += 1) expect((await send('/signup/send', newPerson())).status).toBe(303)
  const person = newPerson()
  const { status, html, headers } = await send('/signup/send', person)
  expect(status).toBe(429)
  expect(html).toMatch(/<p>Too many attempts\. /)
  expect(valueOf(html, 'email')).toBe(person.email)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
})

it.each([
  ['password', 'Reset your password'],
  ['username', 'Your username'],
])('emails a forgotten %s, and answers the same for an unknown address', async (forgotten, subject) => {
  const { email } = await makeSeller()
  const stranger = newPerson().email
  for (const to of [` ${email.toUpperCase()}`, stranger]) {
    const { status, location } = await send(`/forgot-${forgotten}/send`, { email: to })
    expect([status, location]).toEqual([303, `/forgot-${forgotten}?sent=1`])
  }
  expect(await mailsTo(email)).toEqual([expect.stringContaining(subject)])
  expect(await mailsTo(stranger)).toEqual([])
})

it.each(['password', 'username'])(
  'refuses a wrong address for a forgotten %s, and the fourth request',
  async (what) => {
    const wrong = await send(`/forgot-${what}/send`, { email: 'ada"<b>' })
    expect([wrong.status, problemAt(wrong.html, 'email')]).toEqual([400, accountTexts.invalidEmail])
    expect(valueOf(wrong.html, 'email')).toBe('ada&#34;&#60;b&#62;')
    expect(wrong.html).toContain(`action="/forgot-${what}"`)
    const none = await send(`/forgot-${what}/send`, { email: ' ' })
    expect(problemAt(none.html, 'email')).toBe(accountTexts.emailRequired)
    const { email } = newPerson()
    for (let at = 0; at < 3; at += 1) expect((await send(`/forgot-${what}/send`, { email })).status).toBe(303)
    const fourth = await send(`/forgot-${what}/send`, { email })
    expect([fourth.status, valueOf(fourth.html, 'email')]).toEqual([429, email])
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(60)
  },
)

async function linkOf(email: string): Promise<string> {
  await requestPasswordReset(visitor(), { email })
  const mail = await db().outboxMail.findFirstOrThrow({ where: { to: email }, orderBy: { id: 'desc' } })
  return /reset-password(\?token=[A-Za-z0-9]{43})/.exec(mail.text)?.[1] ?? ''
}

it('sets a new password once, and keeps the link usable when the password is refused', async () => {
  const { id, email } = await makeSeller()
  const path = `/reset-password/send${await linkOf(email)}`
  const refused: [newPassword: string, confirmation: string, text: string][] = [
    ['tiny"12', 'tiny"12', accountTexts.resetPasswordTooShort],
    ['a better password', 'another password', accountTexts.passwordsDiffer],
    ['password1', 'password1', accountTexts.passwordTooCommon],
  ]
  for (const [newPassword, confirmation, text] of refused) {
    const { status, html } = await send(path, { newPassword, confirmation })
    expect([status, problemAt(html, 'newPassword')]).toEqual([400, text])
    expect([valueOf(html, 'newPassword'), valueOf(html, 'confirmation')]).toEqual(['', ''])
    expect(html).toContain(`action="${path.replace('/send', '')}"`)
  }
  const fields = { newPassword: 'a better password', confirmation: 'a better password' }
  const right = await send(path, fields)
  expect([right.status, right.location]).toEqual([303, '/reset-password?done=1'])
  expect((await logIn(visitor(), { email, password: 'a better password' }, strangeDevice)).id).toBe(id)
  for (const used of [path, '/reset-password/send?token=%22%3Cb%3E', `/reset-password/send?token=${'x'.repeat(300)}`]) {
    const { status, html } = await send(used, fields)
    expect(status).toBe(400)
    expect(html).toContain(accountError('RESET_LINK_INVALID').message)
    expect(html).toContain('href="/forgot-password"')
    expect(html).not.toContain('<form')
  }
  const without = await send('/reset-password/send', fields)
  expect(without.html).toContain(accountTexts.tokenMissing)
})

it('confirms an address once, and gives an account back with the link of a change', async () => {
  const seller = await makeSeller({ emailConfirmedAt: null })
  const tokenOf = async (purpose: 'emailConfirm' | 'emailUndo') => {
    const token = newSecret()
    const expiresAt = new Date(Date.now() + 60_000)
    const row = { userId: seller.id, email: seller.email, tokenHash: sha256(token), purpose, expiresAt }
    await db().token.create({ data: row })
    return token
  }
  const token = await tokenOf('emailConfirm')
  const right = await send('/confirm-email/send', { token })
  expect([right.status, right.location]).toEqual([303, '/confirm-email?done=1'])
  const { emailConfirmedAt } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  expect(emailConfirmedAt).toEqual(expect.any(Date))
  const again = await send('/confirm-email/send', { token })
  expect(again.status).toBe(400)
  expect(again.html).toContain(accountError('CONFIRM_LINK_INVALID').message)
  const undone = await send('/confirm-email/send?for=undo', { token: await tokenOf('emailUndo') })
  expect([undone.status, undone.location]).toEqual([303, '/confirm-email?done=1&for=undo'])
})

it('gives programs JSON, and refuses unknown fields and the forms of other sites', async () => {
  const person = newPerson()
  const forms: [path: string, fields: Record<string, string>][] = [
    ['/signup/send', person],
    ['/forgot-password/send', { email: person.email }],
    ['/forgot-username/send', { email: person.email }],
    ['/confirm-email/send', { token: 'x' }],
    ['/reset-password/send?token=x', { newPassword: 'a better password', confirmation: 'a better password' }],
  ]
  const origins: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const [path, fields] of forms) {
    for (const headers of origins) {
      const { status, html } = await send(path, fields, { accept: 'text/html', ...headers })
      expect([path, status]).toEqual([path, 403])
      expect(html).toContain(platformError('CROSS_ORIGIN').message)
    }
    const unknown = await send(path, { ...fields, isAdmin: 'true' }, { accept: 'application/json' })
    expect([path, unknown.status, (JSON.parse(unknown.html) as { field: string }).field]).toEqual([
      path,
      400,
      'isAdmin',
    ])
  }
  const wrong = await send('/signup/send', { ...person, email: 'ada' }, { accept: 'application/json' })
  expect(JSON.parse(wrong.html)).toMatchObject({ code: 'INVALID_INPUT', field: 'email' })
  expect(await db().user.count({ where: { email: person.email } })).toBe(0)
})
