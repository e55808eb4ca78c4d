import { Client } from 'pg'
import type { PasskeyRequest } from '@/lib/infra/webauthn'
import { apiDocument } from '@/lib/http/openapi/api-document'
import { checkedAnswers } from '@/tests/support/api-answers'
import { startApp } from '@/tests/support/start-app.mjs'
import { softwarePasskey } from '@/tests/support/software-passkey'
import { drawing } from '@/tests/support/photos'

// Together these tests make every call of the API document with valid input, except those in ELSEWHERE.
// tests/support/check-answers.ts compares each response with the document, as it does in every integration test.
let app: Awaited<ReturnType<typeof startApp>>
let database: Client
let address = 0

const ADMIN = { email: 'root@lastcall.example', password: 'the-api-answers' }

/** Calls that these tests cannot make. The two calls for uploads need UploadThing as the storage. */
const ELSEWHERE = [
  'POST /api/uploads',
  'POST /api/uploadthing',
  // The stand-in delivers its events inside the process and not by this call.
  'POST /api/webhooks/stripe',
  // This call needs the code of an authenticator; accounts/two-factor.test.ts has one.
  'POST /api/auth/two-factor',
  // This call opens a stream, and call() would wait for its end.
  'GET /api/drop/{identifier}/events',
  // This call returns a picture and no JSON; tests/e2e/preview-image.spec.ts makes it.
  'GET /drop/{identifier}/opengraph-image',
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

/** Makes a call, which must succeed. @param body is sent as a form if it is one, and otherwise as JSON. */
async function call(method: string, path: string, { cookie = '', body, bearer }: Sent = {}): Promise<Answered> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  // Each call has its own client address, so that the rate limits per address do not stop it.
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

/** Returns the newest link that was emailed to an address and contains `part`. Throws when there is none. */
async function linkTo(email: string, part: string): Promise<URL> {
  const answer = await fetch(`${app.url}/api/sandbox/mail?to=${encodeURIComponent(email)}`)
  const mails = (await answer.json()) as { text: string }[]
  const links = mails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
  const link = links.find((one) => one.includes(part))
  if (!link) throw new Error(`no email to ${email} with ${part}`)
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

it('the calls about accounts respond as the API document says', async () => {
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
  await call('GET', '/api/user/public-profile', { cookie })
  await call('PATCH', '/api/user/public-profile', { cookie, body: { about: 'Prints.', links: ['mia.example'] } })
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
  await signInWithPasskey(mia.email)
  const csrf = await call('GET', '/api/auth/csrf')
  const form = new URLSearchParams({ csrfToken: String(csrf.json.csrfToken), json: 'true' })
  await call('POST', '/api/auth/signout', { cookie: `${again.cookie}; ${csrf.cookie}`, body: form })
  const draft = await call('POST', '/api/auth/signup-draft', { body: account('draft_answers') })
  await call('POST', '/api/auth/signup-draft/complete', { cookie: draft.cookie, body: { plan: 'free' } })
  await call('GET', '/api/login?redirect=/account')
}, 120_000)

/** Gives a user a second factor for one login, whose response then asks for the second step. */
async function secondFactor(email: string) {
  const { rows } = await database.query<{ id: number }>(`SELECT "id" FROM "User" WHERE "email" = $1`, [email])
  await database.query(
    `INSERT INTO "TotpCredential" ("userId", "secretEncrypted", "confirmedAt", "lastUsedStep") VALUES ($1, 'x', now(), 0)`,
    [rows[0]?.id],
  )
  await call('POST', '/api/auth/login', { body: { email, password: 'another pass' } })
  await database.query(`DELETE FROM "TotpCredential" WHERE "userId" = $1`, [rows[0]?.id])
}

/** Gives a user a passkey, and signs in with the password and the passkey. */
async function signInWithPasskey(email: string) {
  await call('POST', '/api/auth/passkey-options', { body: { purpose: 'login' } })
  const passkey = softwarePasskey()
  await database.query(
    `INSERT INTO "Passkey" ("userId", "credentialId", "publicKey", "counter", "transports", "name", "passwordMark")
     SELECT "id", $2, $3, 0, '{internal}', 'Phone', '' FROM "User" WHERE "email" = $1`,
    [email, passkey.id, passkey.publicKey],
  )
  const step = await call('POST', '/api/auth/login', { body: { email, password: 'another pass' } })
  const asked = await call('POST', '/api/auth/passkey-options', {
    cookie: step.cookie,
    body: { purpose: 'secondStep' },
  })
  const credential = passkey.get(asked.json.options as PasskeyRequest, { origin: app.url })
  const cookie = `${step.cookie}; ${asked.cookie}`
  const { json } = await call('POST', '/api/auth/passkey', { cookie, body: { credential } })
  expect(json.user).toMatchObject({ email })
}

it('the calls of sellers, buyers and visitors about a drop respond as the API document says', async () => {
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
  const { json: exported } = await call('GET', '/api/user/export', { cookie })
  expect(exported.runs).toContainEqual(expect.objectContaining({ dropId: drop.id, run: 1, quantity: 12, sold: 0 }))
  expect(exported.discountCodes).toEqual([{ ...code, dropId: drop.id }])
  await call('POST', `${codes}/${String(code.id)}/end`, { cookie })
  const { json: opened } = await call('POST', '/api/checkout/create-session', { body: { dropId: drop.id } })
  expect((await pay(opened.url)).status).toBe(303)
  const paid = `/api/order/${new URL(String(opened.url)).pathname.split('/').at(-1) ?? ''}`
  // Stripe's stand-in reports the payment a moment later.
  while ((await fetch(app.url + paid)).status === 404);
  await call('GET', paid)
  await call('POST', '/api/create-payment-intent', { body: { dropId: drop.id } })
  await call('POST', '/api/checkout/wallet/prepare')
  const wallet = await call('POST', '/api/checkout/wallet', { body: { dropId: drop.id, quantity: 2 } })
  const { clientSecret, amountCents } = wallet.json
  const sheet = { paymentIntentId: String(clientSecret).split('_secret_')[0], amountCents }
  const buyer = { email: 'bea@example.com', name: 'Bea Buyer', phone: '+1 555 555 0123' }
  const home = { line1: '1 Long Lane', city: 'London', postalCode: 'N1 7GU', country: 'GB' }
  const checked = { ...sheet, details: { ...buyer, ...home } }
  await call('POST', '/api/checkout/wallet/check', { cookie: wallet.cookie, body: checked })
  await call('POST', '/api/checkout/wallet/cancel', { cookie: wallet.cookie, body: { dropId: drop.id } })
  await call('POST', '/api/find-order', { body: { email: 'bea@example.com' } })
  const report = new URLSearchParams({ category: 'other', details: 'Odd.' })
  await call('POST', `${page}/report`, { body: report })
  await call('POST', '/api/profile/report/sam_answers', { body: report })
  await call('POST', `/api/drops/${String(drop.id)}/end`, { cookie })
  await call('POST', `${page}/remind`, { body: { email: 'bea@example.com' } })
  const link = await linkTo('bea@example.com', '/remind/confirm')
  const stop = await linkTo('bea@example.com', '/remind/stop')
  const token = link.searchParams.get('token') ?? ''
  await call('POST', '/api/waitlist/confirm', { body: new URLSearchParams({ token }) })
  await call('POST', `/api/waitlist/leave${stop.search}`)
  const ask = new URLSearchParams({ email: 'bea@example.com', from: 'profile' })
  await call('POST', '/profile/sam_answers/follow', { body: ask })
  const follow = await linkTo('bea@example.com', '/follow/confirm')
  const unfollow = await linkTo('bea@example.com', '/follow/stop')
  const followToken = follow.searchParams.get('token') ?? ''
  await call('POST', '/api/follow/confirm', { body: new URLSearchParams({ token: followToken }) })
  await call('POST', `/api/follow/leave${unfollow.search}`)
  await database.query(`UPDATE "Drop" SET "endTime" = now() - interval '25 hours' WHERE "id" = $1`, [drop.id])
  await call('POST', `/api/drops/${String(drop.id)}/relaunch`, { cookie, body: { duration: 24 } })
  await call('POST', '/api/payouts/connect', { cookie, body: { password: account('sam_answers').password } })
  // The drop to be deleted belongs to another seller, because the free plan allows only one running drop at a time.
  const { cookie: second } = await call('POST', '/api/auth/signup', { body: account('tea_answers') })
  const photo = new FormData()
  photo.set('photo', new Blob([new Uint8Array(drawing().buffer)]), 'cup.webp')
  const { json: kept } = await call('POST', '/api/uploads/photo', { cookie: second, body: photo })
  const cup = { title: 'Cup', description: 'A cup.', price: '9', uploads: { image0: kept.key } }
  const { json: other } = await call('POST', '/api/drops', { cookie: second, body: cup })
  await call('DELETE', `/api/drops/${String(other.id)}`, { cookie: second })
}, 120_000)

it('the calls about the Pro plan respond as the API document says', async () => {
  const { cookie, json } = await call('POST', '/api/auth/signup', { body: account('pro_answers') })
  const { json: page } = await call('POST', '/api/create-subscription', { cookie, body: { billingPeriod: 'monthly' } })
  expect((await pay(page.url)).status).toBe(303)
  const sessionId = new URL(String(page.url)).pathname.split('/').at(-1)
  await call('POST', '/api/subscription/finish', { cookie, body: { sessionId } })
  await call('GET', '/api/subscription', { cookie })
  await call('GET', '/api/check-slug/my-mug', { cookie })
  const { json: drop } = await call('POST', '/api/drops', { cookie, body: createForm() })
  await call('POST', '/api/drops/form', { cookie, body: createForm({ idempotencyKey: 'form_answers' }) })
  await call('GET', `/api/drops/${String(drop.id)}/analytics`, { cookie })
  const { json: preview } = await call('GET', '/api/subscription/switch?billingPeriod=yearly', { cookie })
  const body = { billingPeriod: 'yearly', todayCents: preview.todayCents }
  await call('POST', '/api/subscription/switch', { cookie, body })
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

it('the calls of administrators and machines respond as the API document says', async () => {
  const { cookie } = await call('POST', '/api/auth/login', { body: ADMIN })
  const { json: seller, cookie: own } = await call('POST', '/api/auth/signup', { body: account('tom_answers') })
  const { json: drop } = await call('POST', '/api/drops', { cookie: own, body: createForm() })
  const user = `/api/admin/users/${String((seller.user as { id: number }).id)}`
  await call('GET', '/api/admin/stats', { cookie })
  await call('GET', '/api/admin/search?q=tom_answers', { cookie })
  await call('GET', '/api/admin/users?limit=2', { cookie })
  await call('PATCH', user, { cookie, body: { isSuspended: true, suspensionReason: 'A test.', suspensionDays: 7 } })
  await call('GET', '/api/admin/users?show=suspended', { cookie })
  await call('GET', user, { cookie })
  await call('PATCH', user, { cookie, body: { isSuspended: false } })
  await call('GET', '/api/admin/drops?limit=2', { cookie })
  await call('PATCH', `/api/admin/drops/${String(drop.id)}`, { cookie, body: { isPinned: true } })
  await call('DELETE', `/api/admin/drops/${String(drop.id)}`, { cookie })
  await call('DELETE', user, { cookie })
  const { rows: inDebt } = await database.query<{ sellerId: number }>(
    `UPDATE "Transfer" SET "feeOwedCents" = "amountCents" + 100
      WHERE "id" IN (SELECT "id" FROM "Transfer" WHERE "sentCents" IS NULL LIMIT 1) RETURNING "sellerId"`,
  )
  const repayment = { amountCents: 40, reference: 'SEPA 7' }
  await call('POST', `/api/admin/users/${inDebt[0]?.sellerId}/debt-payments`, { cookie, body: repayment })
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

it('the page of the API document shows every path without JavaScript, and loads nothing from other hosts', async () => {
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

it('the tests above have made every call of the document, except those that they cannot make', () => {
  const wanted = Object.entries(apiDocument().paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const answered = [...checkedAnswers].filter((one) => /[23]\d\d$/.test(one)).map((one) => one.replace(/ \d+$/, ''))
  expect(wanted.filter((one) => !answered.includes(one) && !ELSEWHERE.includes(one))).toEqual([])
})
