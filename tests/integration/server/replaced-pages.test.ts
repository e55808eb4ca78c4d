import { Client } from 'pg'
import { startApp } from '@/tests/support/app-server.mjs'

// These tests check what the middleware shows in place of a page: the status, and a page that can be read without
// JavaScript. They run no script.
let app: Awaited<ReturnType<typeof startApp>>
let database: Client
let seller: { id: number; cookie: string; username: string }

beforeAll(async () => {
  app = await startApp({ env: { SEED_DEMO: '0' } })
  database = new Client(app.databaseUrl)
  await database.connect()
  seller = await signUp('rita_replaced')
}, 6 * 60_000)

afterAll(async () => {
  await database?.end()
  await app?.stop()
}, 60_000)

async function signUp(username: string) {
  const answer = await fetch(`${app.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, email: `${username}@example.com`, password: 'pass of a test', firstName: 'Ada' }),
  })
  expect(answer.status).toBe(201)
  const { user } = (await answer.json()) as { user: { id: number } }
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  return { id: user.id, username, cookie: cookie.join('; ') }
}

/** What somebody without JavaScript reads: the text of the body, without scripts and markup. */
async function read(path: string, cookie = '') {
  const answer = await fetch(app.url + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  const html = await answer.text()
  const body = html.slice(html.indexOf('<body'))
  const text = body.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')
  return { status: answer.status, title: /<title>([^<]*)/.exec(html)?.[1] ?? '', text, headers: answer.headers }
}

const panels = ['/admin', '/admin/orders', '/admin/users/1', '/admin/nothing']

it('refuses the panel to visitors and sellers with 403, as a page and as JSON', async () => {
  for (const [who, cookie] of [
    ['visitor', ''],
    ['seller', seller.cookie],
    [
      'somebody with an invented cookie',
      seller.cookie.replace(/next-auth.session-token=[^;]*/, 'next-auth.session-token=x'),
    ],
  ] as const) {
    for (const path of panels) {
      const { status, text } = await read(path, cookie)
      expect([who, path, status]).toEqual([who, path, 403])
      expect(text).toContain('Access Denied')
    }
    const call = await fetch(`${app.url}/api/admin/stats`, { headers: { cookie } })
    expect(call.status).toBe(403)
    expect(call.headers.get('cache-control')).toBe('private, no-store')
    const body = (await call.json()) as Record<string, unknown>
    expect(body).toMatchObject({ code: 'FORBIDDEN', requestId: call.headers.get('x-request-id') })
    const write = await fetch(`${app.url}/api/admin/toggle-platform`, { method: 'POST', headers: { cookie } })
    expect(write.status).toBe(403)
  }
  expect((await read('/admin')).text).toContain('Log in')
})

it('lets a new administrator in at once and a former one no more, both with the cookie they had before', async () => {
  const promoted = await signUp('promoted')
  const statuses = async () => [
    (await read('/admin', promoted.cookie)).status,
    (await fetch(`${app.url}/api/admin/stats`, { headers: { cookie: promoted.cookie } })).status,
  ]
  const make = (isAdmin: boolean) =>
    database.query(`UPDATE "User" SET "isAdmin" = $2 WHERE "id" = $1`, [promoted.id, isAdmin])
  expect(await statuses()).toEqual([403, 403])
  await make(true)
  expect(await statuses()).toEqual([200, 200])
  expect((await read('/admin/users/999999', promoted.cookie)).status).toBe(404)
  await make(false)
  expect(await statuses()).toEqual([403, 403])
})

it('says without JavaScript that something does not exist', async () => {
  const token = 'x'.repeat(43)
  const missing: [path: string, title: string, text: string][] = [
    ['/drop/unknown', 'Drop Not Found', 'This drop may have expired'],
    ['/drop/%00%ff', 'Page Not Found', 'does not exist'],
    ['/drop/unknown/report', 'Drop Not Found', 'This drop may have expired'],
    ['/profile/unknown', 'Profile Not Found', 'Profile Not Found'],
    [`/claim/${token}`, 'Page Not Found', 'does not exist'],
    ['/claim/short', 'Page Not Found', 'does not exist'],
    [`/o/${token}`, 'Page Not Found', 'does not exist'],
    [`/o/${token}/receipt`, 'Page Not Found', 'does not exist'],
    ['/remind/constructor', 'Page Not Found', 'does not exist'],
    ['/orders/nothing', 'Page Not Found', 'does not exist'],
    [`/orders/ord_${'x'.repeat(22)}`, 'Page Not Found', 'does not exist'],
    [`/orders/ord_${'x'.repeat(22)}/ship`, 'Page Not Found', 'does not exist'],
    ['/paused', 'Page Not Found', 'does not exist'],
    ['/replaced', 'Page Not Found', 'does not exist'],
    ['/dashboard', 'Page Not Found', 'does not exist'],
    ['/nowhere/at/all', 'Page Not Found', 'does not exist'],
  ]
  for (const [path, title, text] of missing) {
    const page = await read(path, seller.cookie)
    expect([path, page.status]).toEqual([path, 404])
    expect([path, page.title]).toEqual([path, expect.stringContaining(title)])
    expect([path, page.text]).toEqual([path, expect.stringContaining(text)])
    const head = await fetch(app.url + path, { method: 'HEAD', headers: { cookie: seller.cookie } })
    expect([path, head.status]).toEqual([path, 404])
  }
})

it('shows what does exist', async () => {
  await database.query(
    `INSERT INTO "Drop" ("uniqueId", "userId", "title", "description", "productType", "priceCents", "quantity", "duration",
                         "startedAt", "endTime", "updatedAt")
     VALUES ('droreplace', $1, 'Mug', 'A mug.', 'physical', 2400, 5, 24, now(), now() + interval '20 hours', now())`,
    [seller.id],
  )
  for (const path of ['/drop/droreplace', '/drop/droreplace/report', `/profile/${seller.username}`, '/remind/sent']) {
    expect([path, (await read(path)).status]).toEqual([path, 200])
  }
  for (const path of ['/orders', '/orders/import', '/sandbox/mail']) {
    expect([path, (await read(path, seller.cookie)).status]).toEqual([path, 200])
  }
  await database.query(`UPDATE "Drop" SET "hiddenAt" = now() WHERE "uniqueId" = 'droreplace'`)
  const gone = await read('/drop/droreplace/report')
  expect([gone.status, gone.title]).toEqual([404, expect.stringContaining('Drop Not Found')])
})
