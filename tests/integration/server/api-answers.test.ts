import { Client } from 'pg'
import { apiDocument } from '@/lib/http/openapi/api-document'
import { checkedAnswers } from '@/tests/support/api-answers'
import { startApp } from '@/tests/support/app-server.mjs'
import { drawing } from '@/tests/support/photos'

// Makes every call with good input once. tests/support/check-answers.ts compares each answer with the document of the API,
// here as in every other test.
let app: Awaited<ReturnType<typeof startApp>>
let database: Client
let address = 0

const ADMIN = { email: 'root@lastcall.example', password: 'the-api-answers' }

/** Calls that need something that this test does not have. */
const ELSEWHERE = [
  'POST /api/uploads',
  'POST /api/uploadthing',
  // The stand-in sends its events inside the process.
  'POST /api/webhooks/stripe',
  // This call needs the code of an authenticator; accounts/two-factor.test.ts has one.
  'POST /api/auth/two-factor',
  'GET /api/drop/{identifier}/events',
]

beforeAll(async () => {
  app = await startApp({ env: { SEED_DEMO: '0', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password } })
  database = new Client(app.databaseUrl)
  await database.connect()
}, 10 * 60_000)

afterAll(async () => {
  await database?.end()
  await app?.stop()
}, 60_000)

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** Makes a call, which must succeed. @param body a form, or what is sent as JSON. */
async function call(method: string, path: string, { cookie = '', body, bearer }: Sent = {}): Promise<Answered> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  // Each call has a client address of its own, so that the limits per address do not stop it.
  const headers = {
    cookie,
    'x-forwarded-for': `10.77.0.${(address += 1)}`,
    ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
  }
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
  const answer = await fetch(app.url + path, { method, headers, redirect: 'manual', ...sent })
  const text = await answer.text()
  expect([method, path, answer.status < 400 ? '' : text]).toEqual([method, path, ''])
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {}, cookie: cookieOf(answer) }
}

type Sent = { cookie?: string; body?: object; bearer?: string }
type Answered = { json: Record<string, unknown>; cookie: string }

const account = (username: string) => ({
  username,
  email: `${username}@example.com`,
  password: 'pass of a test',
  firstName: 'Ada',
  lastName: 'Lace',
})

const pay = (url: unknown) =>
  fetch(`${String(url)}/pay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bea@example.com', cardNumber: '4242424242424242', name: 'Bea Buyer' }),
  })

/** The newest link with this part that was mailed to an address. */
async function linkTo(email: string, part: string): Promise<URL> {
  const answer = await fetch(`${app.url}/api/sandbox/mail?to=${encodeURIComponent(email)}`)
  const mails = (await answer.json()) as { text: string }[]
  const links = mails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
  const link = links.find((one) => one.includes(part))
  if (!link) throw new Error(`no mail to ${email} with ${part}`)
  return new URL(link)
}

function createForm(fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  const { name, mimeType, buffer } = drawing()
  const all = { title: 'Mug', description: 'A mug.', price: '24', quantity: '9', ...fields }
  for (const [field, value] of Object.entries(all)) form.set(field, value)
  form.set('image0', new Blob([new Uint8Array(buffer)], { type: mimeType }), name)
  return form
}

it('accounts', async () => {
  const mia = account('mia_answers')
  await call('GET', '/api/auth/check-username/mia_answers')
  const { cookie } = await call('POST', '/api/auth/signup', { body: mia })
  await call('GET', '/api/auth/check-username/mia_answers')
  await call('GET', '/api/auth/user', { cookie })
  await call('GET', '/api/auth/session', { cookie })
  await call('POST', '/api/auth/resend-confirmation', { cookie })
  const token = (await linkTo(mia.email, '/confirm-email')).searchParams.get('token')
  await call('POST', '/api/auth/confirm-email', { body: { token } })
  await call('PATCH', '/api/user/settings', { cookie, body: { timezone: 'Europe/Berlin' } })
  await call('PATCH', '/api/user/profile', { cookie, body: { firstName: 'Mia', email: 'mia2@example.com' } })
  const picture = new FormData()
  picture.set('profileImage', new Blob([new Uint8Array(drawing().buffer)], { type: 'image/webp' }), 'me.webp')
  await call('POST', '/api/user/profile-image', { cookie, body: picture })
  await call('DELETE', '/api/user/profile-image', { cookie })
  await call('GET', '/api/check-username-eligibility', { cookie })
  await call('POST', '/api/change-username', { cookie, body: { newUsername: 'mia_changed' } })
  await call('GET', '/api/user/export', { cookie })
  await call('GET', '/api/user/export?format=csv', { cookie })
  await call('POST', '/api/auth/logout', { cookie })
  await call('POST', '/api/auth/forgot-username', { body: { email: mia.email } })
  await call('POST', '/api/auth/forgot-password', { body: { email: mia.email } })
  let reset: string | null = null
  while (!reset)
    reset = await linkTo(mia.email, '/reset-password').then(
      (url) => url.searchParams.get('token'),
      () => null,
    )
  await call('POST', '/api/auth/reset-password', { body: { token: reset, newPassword: 'another pass' } })
  const again = await call('POST', '/api/auth/login', { body: { email: 'mia_changed', password: 'another pass' } })
  await secondFactor(mia.email)
  const csrf = await call('GET', '/api/auth/csrf')
  const form = new URLSearchParams({ csrfToken: String(csrf.json.csrfToken), json: 'true' })
  await call('POST', '/api/auth/signout', { cookie: `${again.cookie}; ${csrf.cookie}`, body: form })
  const draft = await call('POST', '/api/auth/signup-draft', { body: account('draft_answers') })
  await call('POST', '/api/auth/signup-draft/complete', { cookie: draft.cookie, body: { plan: 'free' } })
  await call('GET', '/api/login?redirect=/account')
}, 120_000)

/** Logs in a user with a second factor; the answer leads to the second step. */
async function secondFactor(email: string) {
  const { rows } = await database.query<{ id: number }>(`SELECT "id" FROM "User" WHERE "email" = $1`, [email])
  await database.query(
    `INSERT INTO "TotpCredential" ("userId", "secretEncrypted", "confirmedAt", "lastUsedStep") VALUES ($1, 'x', now(), 0)`,
    [rows[0]?.id],
  )
  await call('POST', '/api/auth/login', { body: { email, password: 'another pass' } })
  await database.query(`DELETE FROM "TotpCredential" WHERE "userId" = $1`, [rows[0]?.id])
}

it('drops, buying, and what visitors do', async () => {
  const { cookie } = await call('POST', '/api/auth/signup', { body: account('sam_answers') })
  const { json: drop } = await call('POST', '/api/drops', { cookie, body: createForm() })
  const page = `/api/drop/${String(drop.identifier)}`
  await call('GET', page)
  await call('GET', '/api/profile/public/sam_answers')
  await call('GET', '/api/drops/user', { cookie })
  await call('GET', `/api/oembed?url=${encodeURIComponent(`${app.url}/drop/${String(drop.identifier)}`)}`)
  await call('GET', '/api/openapi.json')
  await call('POST', `${page}/view?from=example.com&tag=ig`)
  await call('POST', `${page}/leave?app=instagram&outcome=opened`)
  await call('PATCH', `/api/drops/${String(drop.id)}`, { cookie, body: { quantity: 12 } })
  const codes = `/api/drops/${String(drop.id)}/codes`
  const { json: code } = await call('POST', codes, { cookie, body: { code: 'FRIENDS', percent: 10 } })
  await call('GET', codes, { cookie })
  await call('POST', `${codes}/${String(code.id)}/end`, { cookie })
  const { json: opened } = await call('POST', '/api/checkout/create-session', { body: { dropId: drop.id } })
  expect((await pay(opened.url)).status).toBe(303)
  const paid = `/api/order/${new URL(String(opened.url)).pathname.split('/').at(-1) ?? ''}`
  // Stripe's stand-in reports the payment a moment later.
  while ((await fetch(app.url + paid)).status === 404);
  await call('GET', paid)
  await call('POST', '/api/create-payment-intent', { body: { dropId: drop.id } })
  await call('POST', '/api/find-order', { body: { email: 'bea@example.com' } })
  const report = new URLSearchParams({ category: 'other', details: 'Odd.' })
  await call('POST', `${page}/report`, { body: report })
  await call('POST', `/api/drops/${String(drop.id)}/end`, { cookie })
  await call('POST', `${page}/remind`, { body: { email: 'bea@example.com' } })
  const link = await linkTo('bea@example.com', '/remind/confirm')
  const stop = await linkTo('bea@example.com', '/remind/stop')
  const token = link.searchParams.get('token') ?? ''
  await call('POST', '/api/waitlist/confirm', { body: new URLSearchParams({ token }) })
  await call('POST', `/api/waitlist/leave${stop.search}`)
  await database.query(`UPDATE "Drop" SET "endTime" = now() - interval '25 hours' WHERE "id" = $1`, [drop.id])
  await call('POST', `/api/drops/${String(drop.id)}/relaunch`, { cookie, body: { duration: 24 } })
  await call('POST', '/api/payouts/connect', { cookie, body: { password: account('sam_answers').password } })
  // The free plan has room for one drop at a time, and the relaunched one takes it.
  const { cookie: second } = await call('POST', '/api/auth/signup', { body: account('tea_answers') })
  const { json: other } = await call('POST', '/api/drops', { cookie: second, body: createForm({ title: 'Cup' }) })
  await call('DELETE', `/api/drops/${String(other.id)}`, { cookie: second })
}, 120_000)

it('Pro', async () => {
  const { cookie, json } = await call('POST', '/api/auth/signup', { body: account('pro_answers') })
  const { json: page } = await call('POST', '/api/create-subscription', { cookie, body: { billingPeriod: 'monthly' } })
  expect((await pay(page.url)).status).toBe(303)
  const sessionId = new URL(String(page.url)).pathname.split('/').at(-1)
  await call('POST', '/api/subscription/finish', { cookie, body: { sessionId } })
  await call('GET', '/api/subscription', { cookie })
  await call('GET', '/api/check-slug/my-mug', { cookie })
  const { json: drop } = await call('POST', '/api/drops', { cookie, body: createForm() })
  await call('GET', `/api/drops/${String(drop.id)}/analytics`, { cookie })
  await call('POST', '/api/subscription/switch', { cookie, body: { billingPeriod: 'yearly' } })
  await call('POST', '/api/subscription/cancel', { cookie, body: { isCanceling: true } })
  const { id } = json.user as { id: number }
  const known = await database.query<{ sub: string }>(
    `SELECT "stripeSubscriptionId" AS "sub" FROM "Subscription" WHERE "userId" = $1`,
    [id],
  )
  const advance = { subscription: known.rows[0]?.sub, days: 0 }
  await call('POST', '/api/sandbox/stripe/advance', { body: advance })
  await call('POST', '/api/sandbox/stripe/faults', { body: {} })
  await call('POST', '/api/subscription/money-back', { cookie })
}, 120_000)

it('administrators and machines', async () => {
  const { cookie } = await call('POST', '/api/auth/login', { body: ADMIN })
  const { json: seller, cookie: own } = await call('POST', '/api/auth/signup', { body: account('tom_answers') })
  const { json: drop } = await call('POST', '/api/drops', { cookie: own, body: createForm() })
  const user = `/api/admin/users/${String((seller.user as { id: number }).id)}`
  await call('GET', '/api/admin/stats', { cookie })
  await call('GET', '/api/admin/users?limit=2', { cookie })
  await call('PATCH', user, { cookie, body: { isSuspended: true, suspensionReason: 'A test.', suspensionDays: 7 } })
  await call('GET', '/api/admin/users?show=suspended', { cookie })
  await call('PATCH', user, { cookie, body: { isSuspended: false } })
  await call('GET', '/api/admin/drops?limit=2', { cookie })
  await call('PATCH', `/api/admin/drops/${String(drop.id)}`, { cookie, body: { isPinned: true } })
  await call('DELETE', `/api/admin/drops/${String(drop.id)}`, { cookie })
  await call('DELETE', user, { cookie })
  await call('GET', '/api/admin/platform-settings', { cookie })
  await call('POST', '/api/admin/toggle-platform', { cookie, body: { isActive: true } })
  await call('GET', '/api/admin/export/users', { cookie })
  await call('GET', '/api/admin/export/drops', { cookie })
  await call('GET', '/api/health')
  await call('POST', '/api/csp-report', { body: { 'csp-report': { 'effective-directive': 'img-src' } } })
  await call('GET', '/api/metrics', { bearer: app.cronSecret })
  await call('GET', '/api/cron/archive', { bearer: app.cronSecret })
  await call('POST', '/api/cron/archive', { bearer: app.cronSecret })
}, 120_000)

it('the page for people shows every call without JavaScript, and loads nothing from elsewhere', async () => {
  const answer = await fetch(`${app.url}/api-docs`)
  const html = await answer.text()
  expect(answer.status).toBe(200)
  for (const path of Object.keys(apiDocument().paths)) expect(html).toContain(`>${path}<`)
  const loaded = [...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"/g)].map(
    ([, address]) => address,
  )
  expect(loaded.filter((address) => !address?.startsWith(app.url))).toEqual([])
  const document = await fetch(`${app.url}/api/openapi.json`)
  expect(document.headers.get('cache-control')).toMatch(/^public/)
  expect(((await document.json()) as { servers: unknown }).servers).toEqual([{ url: app.url }])
})

it('every call of the document was answered', () => {
  const wanted = Object.entries(apiDocument().paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const answered = [...checkedAnswers].filter((one) => /[23]\d\d$/.test(one)).map((one) => one.replace(/ \d+$/, ''))
  expect(wanted.filter((one) => !answered.includes(one) && !ELSEWHERE.includes(one))).toEqual([])
})
