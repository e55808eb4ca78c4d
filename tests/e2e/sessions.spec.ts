// Checks that a session that was ended is refused right away, that a username belongs to one account, and that log-in
// and the forms for a forgotten password or username do not reveal which email addresses have an account.
import { expect } from '@playwright/test'
import { freshAddress, mailTo, postJson, type Seller, signUp, testedApp, uniqueName } from '../support/e2e'
import { test } from '../support/test'

const calls = [
  'GET /api/auth/session',
  'GET /api/auth/user',
  'GET /api/drops/user',
  'GET /api/check-username-eligibility',
  'GET /api/user/export',
  'PATCH /api/user/settings',
  'PATCH /api/user/profile',
  'POST /api/change-username',
  'POST /api/user/profile-image',
  'DELETE /api/user/profile-image',
  'POST /api/drops',
]
const pages = ['/account', '/orders', '/welcome', '/success', '/create']

async function expectSignedOut({ cookie }: Seller, why: string): Promise<void> {
  const { url } = testedApp()
  for (const call of calls) {
    const [method, path] = call.split(' ')
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
    const headers = { cookie, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...body })
    expect.soft(answer.status, `${call} after ${why}`).toBe(401)
  }
  for (const path of pages) {
    const answer = await fetch(url + path, { headers: { cookie }, redirect: 'manual' })
    const isLogin =
      answer.headers.get('location')?.includes('/login') ?? (await answer.text()).includes('Please Log In')
    expect.soft(isLogin, `${path} after ${why}`).toBe(true)
  }
}

test('after a logout, a password reset or a suspension, calls and pages for sellers refuse the old cookie', async () => {
  const shop = testedApp()
  const [out, reset, suspended] = [await signUp(shop), await signUp(shop), await signUp(shop)]

  await postJson(`${shop.url}/api/auth/logout`, {}, { cookie: out.cookie })
  await expectSignedOut(out, 'logout')

  await postJson(`${shop.url}/api/auth/forgot-password`, { email: reset.email }, { 'x-forwarded-for': freshAddress() })
  const find = async () =>
    (await mailTo(shop, reset.email)).find((mail) => mail.subject === 'Reset your password')?.text ?? ''
  await expect.poll(find).toContain('token=')
  const token = /token=(\w{43})/.exec(await find())?.[1]
  const uses = await Promise.all(
    Array.from({ length: 50 }, () =>
      postJson(`${shop.url}/api/auth/reset-password`, { token, newPassword: 'a better password' }),
    ),
  )
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1)
  await expectSignedOut(reset, 'a reset')
  // The browser was known before the reset. A sign-in with its cookie afterwards causes an email.
  const notices = async () =>
    (await mailTo(shop, reset.email)).filter(({ subject }) => subject.startsWith('New sign-in'))
  expect(await notices()).toEqual([])
  const again = { email: reset.email, password: 'a better password' }
  const signedIn = await postJson(`${shop.url}/api/auth/login`, again, { cookie: reset.cookie })
  expect(signedIn.status).toBe(200)
  await expect.poll(async () => (await notices()).length).toBe(1)

  const login = await postJson(`${shop.url}/api/auth/login`, { email: 'admin', password: 'lastcall-demo' })
  const cookie = login.headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ')
  const answer = await fetch(`${shop.url}/api/admin/users/${suspended.id}`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ isSuspended: true }),
  })
  expect(answer.status).toBe(200)
  await expectSignedOut(suspended, 'a suspension')
})

test('50 simultaneous sign-ups with one name in mixed case create one account', async () => {
  const shop = testedApp()
  const name = uniqueName('Mixed')
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const username = at % 2 ? name.toUpperCase() : name.toLowerCase()
      const account = {
        firstName: 'A',
        lastName: '',
        username,
        email: `${at}.${name}@example.com`,
        password: 'long enough',
      }
      return postJson(`${shop.url}/api/auth/signup`, account, { 'x-forwarded-for': freshAddress() })
    }),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([201, ...Array<number>(49).fill(409)])
})

test('log-in, forgot-password and forgot-username do not reveal whether an email address has an account', async () => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const stranger = `${uniqueName('nobody')}@example.com`
  const ask = async (path: string, body: object) => {
    const answer = await postJson(`${shop.url}/api/auth/${path}`, body, { 'x-forwarded-for': freshAddress() })
    const text = (await answer.text()).replace(/req_\w+/, '')
    const headers = [...answer.headers]
      .filter(([name]) => !['date', 'x-request-id'].includes(name))
      .map(([name, value]) => `${name}: ${value}`)
    return [answer.status, text, headers]
  }
  const password = 'not the one'
  expect(await ask('login', { email: stranger, password })).toEqual(
    await ask('login', { email: seller.email, password }),
  )
  for (const path of ['forgot-password', 'forgot-username']) {
    expect(await ask(path, { email: stranger })).toEqual(await ask(path, { email: seller.email }))
  }
})

test('a fourth request for a password reset from one network address is refused with 429', async () => {
  const shop = testedApp()
  const from = { 'x-forwarded-for': freshAddress() }
  const ask = (email: string) => postJson(`${shop.url}/api/auth/forgot-password`, { email }, from)
  expect((await ask('not an address')).status).toBe(400)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => ask(`${at}@example.com`)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(9)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
})
