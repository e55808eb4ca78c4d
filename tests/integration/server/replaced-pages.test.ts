import { Client } from 'pg'
import { startApp } from '@/tests/support/start-app.mjs'

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

/** Requests a page. @returns as `text` what a visitor without JavaScript reads: the body without scripts and markup. */
async function read(path: string, cookie = '') {
  const answer = await fetch(app.url + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  const html = await answer.text()
  const body = html.slice(html.indexOf('<body'))
  const text = body.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')
  return { status: answer.status, title: /<title>([^<]*)/.exec(html)?.[1] ?? '', text, headers: answer.headers }
}

const panels = ['/admin', '/admin/orders', '/admin/users/1', '/admin/nothing']

it('the admin panel is refused to visitors and sellers, as a page and as JSON', async () => {
  for (const [who, cookie] of [
    ['visitor', ''],
    ['seller', seller.cookie],
    [
      'someone with a made-up cookie',
      seller.cookie.replace(/next-auth.session-token=[^;]*/, 'next-auth.session-token=x'),
    ],
  ] as const) {
    for (const path of panels) {
      const { status, text } = await read(path, cookie)
      expect([who, path, status]).toEqual([who, path, 403])
      expect(text).toContain('Access Denied')
    }
    const call = await fetch(`${app.url}/api/admin/stats`, { headers: { cookie } })
    const isSeller = who === 'seller'
    expect(call.status).toBe(isSeller ? 403 : 401)
    expect(call.headers.get('cache-control')).toBe('private, no-store')
    const body = (await call.json()) as Record<string, unknown>
    expect(body).toMatchObject({
      code: isSeller ? 'FORBIDDEN' : 'NOT_SIGNED_IN',
      requestId: call.headers.get('x-request-id'),
    })
    const write = await fetch(`${app.url}/api/admin/toggle-platform`, { method: 'POST', headers: { cookie } })
    expect(write.status).toBe(isSeller ? 403 : 401)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const page = await fetch(`${app.url}/admin`, { method, headers: { cookie } })
      expect([who, method, page.status]).toEqual([who, method, 403])
    }
  }
  expect((await read('/admin')).text).toContain('Sign in')
})

it('a new administrator gets access right away and a former one loses it right away, without a new cookie', async () => {
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

it('while the platform is paused, the panel is still refused with 403, and an administrator can open the platform again', async () => {
  const boss = await signUp('boss_paused')
  await database.query(`UPDATE "User" SET "isAdmin" = true WHERE "id" = $1`, [boss.id])
  const toggle = (cookie: string, isActive: boolean) =>
    fetch(`${app.url}/api/admin/toggle-platform`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ isActive }),
    })
  expect(await (await toggle(boss.cookie, false)).json()).toEqual({ isActive: false })
  try {
    for (const cookie of ['', seller.cookie]) {
      expect((await read('/create', cookie)).status).toBe(503)
      for (const path of panels) {
        const { status, text } = await read(path, cookie)
        expect([path, status]).toEqual([path, 403])
        expect(text).toContain('Access Denied')
      }
      expect((await fetch(`${app.url}/admin`, { method: 'POST', headers: { cookie } })).status).toBe(403)
      expect((await toggle(cookie, true)).status).toBe(cookie === '' ? 401 : 403)
    }
    expect((await read('/login')).status).toBe(200)
    const panel = await read('/admin', boss.cookie)
    expect([panel.status, panel.text]).toEqual([200, expect.stringContaining('Settings')])
  } finally {
    expect(await (await toggle(boss.cookie, true)).json()).toEqual({ isActive: true })
  }
  expect((await read('/admin')).status).toBe(403)
})

it('a missing page says so without JavaScript', async () => {
  const token = 'x'.repeat(43)
  const missing: [path: string, title: string, text: string][] = [
    ['/drop/unknown', 'Drop Not Found', 'This drop may have expired'],
    ['/drop/%00%ff', 'Page Not Found', 'does not exist'],
    ['/drop/unknown/report', 'Drop Not Found', 'This drop may have expired'],
    ['/profile/unknown', 'Profile Not Found', 'Profile Not Found'],
    [`/claim/${token}`, 'Page Not Found', 'does not exist'],
    ['/claim/short', 'Page Not Found', 'does not exist'],
    [`/o/${token}`, 'Order Not Found', 'Find my order'],
    [`/o/${token}/receipt`, 'Order Not Found', 'Find my order'],
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

it('existing pages are shown, and the report page of a hidden drop is missing', async () => {
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
  const hidden = await read('/drop/droreplace/report')
  expect([hidden.status, hidden.title]).toEqual([404, expect.stringContaining('Drop Not Found')])
})
