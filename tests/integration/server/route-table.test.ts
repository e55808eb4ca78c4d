import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { startApp } from '@/tests/support/start-app.mjs'
import { type BuiltAction, builtActions, pathOfFile } from '@/tests/support/built-actions'
import { startDatabaseProxy } from '@/tests/support/start-database-proxy'
import { actions, calls, pages, type Row } from '@/tests/support/route-table'
import { answerWork } from '@/tests/support/work'

// Seven people request every route except the logout: a visitor, the owner of a drop, another seller, a Pro seller, a
// suspended seller, and administrators with and without two-factor sign-in. Each is let in or refused as the table
// says, and never gets a 5xx. The administrators request the routes again where payments are real, because they need
// two-factor sign-in there. At the end the platform is paused, in two processes on one database.
type App = Awaited<ReturnType<typeof startApp>>
type Person = 'visitor' | 'owner' | 'other' | 'pro' | 'suspended' | 'admin' | 'securedAdmin'

const ADMIN = { email: 'root@lastcall.example', password: 'the-route-table' }
const START_MS = 6 * 60_000

let first: App
let second: App
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let live: App
let owned: { dropId: number; identifier: string; username: string }
const cookies: Record<Person, string> = {
  visitor: '',
  owner: '',
  other: '',
  pro: '',
  suspended: '',
  admin: '',
  securedAdmin: '',
}
const people = Object.keys(cookies) as Person[]

async function query(text: string, values: unknown[] = []) {
  const client = new Client(first.databaseUrl)
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

const post = (url: string, body: unknown, cookie = '') =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function signUp(name: string): Promise<{ cookie: string; id: number }> {
  const answer = await post(`${first.url}/api/auth/signup`, {
    username: name,
    email: `${name}@example.com`,
    password: `pass ${name}`,
    firstName: 'Ada',
  })
  expect(answer.status).toBe(201)
  const { user } = (await answer.json()) as { user: { id: number } }
  return { cookie: cookieOf(answer), id: user.id }
}

beforeAll(async () => {
  first = await startApp({ env: { SEED_DEMO: '0', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password } })
  proxy = await startDatabaseProxy(first.databaseUrl)
  const { authSecret, cronSecret } = first
  const shared = { DATABASE_URL: proxy.databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret, SEED_DEMO: '0' }
  second = await startApp({ env: shared })
  const ids: Partial<Record<Person, number>> = {}
  for (const person of ['owner', 'other', 'pro', 'suspended', 'securedAdmin'] as const) {
    const { cookie, id } = await signUp(`table_${person}`)
    cookies[person] = cookie
    ids[person] = id
  }
  await query(`UPDATE "User" SET "plan" = 'pro' WHERE "id" = $1`, [ids.pro])
  await query(`UPDATE "User" SET "isSuspended" = true WHERE "id" = $1`, [ids.suspended])
  await query(`UPDATE "User" SET "isAdmin" = true WHERE "id" = $1`, [ids.securedAdmin])
  await query(
    `INSERT INTO "TotpCredential" ("userId", "secretEncrypted", "confirmedAt", "lastUsedStep") VALUES ($1, 'x', now(), 0)`,
    [ids.securedAdmin],
  )
  // The second factor counts as entered until the tests end, because the time at which it was entered is in the future.
  await query(`UPDATE "Session" SET "stepUpAt" = now() + interval '1 hour' WHERE "userId" = $1`, [ids.securedAdmin])
  const [drop] = await query(
    `INSERT INTO "Drop" ("uniqueId", "userId", "title", "description", "productType", "priceCents", "quantity", "duration",
                         "startedAt", "endTime", "updatedAt")
     VALUES ('droutetabl', $1, 'Mug', 'A mug.', 'physical', 2400, 5, 24, now(), now() + interval '20 hours', now()) RETURNING "id"`,
    [ids.owner],
  )
  owned = { dropId: Number(drop?.id), identifier: 'droutetabl', username: 'table_owner' }
  const login = await post(`${first.url}/api/auth/login`, ADMIN)
  expect(login.status).toBe(200)
  cookies.admin = cookieOf(login)
}, START_MS)

afterAll(async () => {
  await live?.stop()
  await second?.stop()
  proxy?.stop()
  await first?.stop()
}, 60_000)

const filesNamed = (name: RegExp) =>
  readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(path.basename(file)))
    .map((file) => file.split(path.sep).join('/'))

/**
 * Returns the methods that a route file declares. Exports in the form `export { handler as GET }` are not found, so the
 * table has one row for all methods of such a file.
 */
const methodsIn = (text: string) =>
  [...text.matchAll(/export (?:const|function|async function) (GET|HEAD|POST|PATCH|PUT|DELETE)\b/g)].map(
    (match) => match[1],
  )

it('the table has a row for every page, every method that a route declares and every server action, and no other row', () => {
  const places = filesNamed(/^page\.tsx$/).map(pathOfFile)
  const missing = places.filter((page) => !(page in pages))
  const found = new Set<string>(places)
  for (const file of filesNamed(/^route\.tsx?$/)) {
    const place = pathOfFile(file)
    const methods = methodsIn(readFileSync(path.join('app', file), 'utf8'))
    const rows = Object.keys(calls).filter((call) => call.endsWith(` ${place}`))
    const wanted = methods.length > 0 ? methods.map((method) => `${method} ${place}`) : rows.slice(0, 1)
    if (wanted.length === 0) missing.push(`? ${place}`)
    missing.push(...wanted.filter((call) => !(call in calls)))
    for (const call of wanted) found.add(call)
  }
  for (const { what } of builtActions()) {
    if (!(what in actions)) missing.push(what)
    found.add(what)
  }
  // Every new route needs a row in tests/support/route-table.ts that says who may use it.
  expect(missing).toEqual([])
  expect(
    [...Object.keys(pages), ...Object.keys(calls), ...Object.keys(actions)].filter((row) => !found.has(row)),
  ).toEqual([])
})

function fill(place: string): string {
  const values: Record<string, string> = {
    identifier: owned.identifier,
    username: owned.username,
    // Both ids have the form that their routes accept, but nothing with these ids exists.
    id: place.startsWith('/orders/') ? `ord_${'x'.repeat(22)}` : '999999',
    dropId: String(owned.dropId),
    run: '1',
    token: 'x'.repeat(43),
    sessionId: 'cs_test_nothing',
    '...nextauth': 'session',
  }
  return place.replace(/\[([^\]]+)\]/g, (_whole, name: string) => values[name] ?? 'nothing')
}

async function ask(app: App, method: string, place: string, person: Person) {
  const answer = await fetch(app.url + fill(place), {
    method,
    redirect: 'manual',
    headers: { cookie: cookies[person], ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    // The input is invalid, so that a person who is let in gets an error and changes nothing.
    body: method === 'GET' || method === 'DELETE' ? undefined : '{"nobodys":"input"}',
  })
  // The text of a stream cannot be read, because a stream does not end.
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await answer.body?.cancel()
  return {
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    headers: answer.headers,
    text: isStream ? '' : await answer.text(),
  }
}

/** With real payments an administrator without two-factor sign-in is refused (docs/product.md#two-factor-sign-in). */
const isAdmin = (app: App, person: Person) => person === 'securedAdmin' || (person === 'admin' && app !== live)

const mayComeIn = (app: App, who: string, person: Person) => {
  if (who === 'admin') return isAdmin(app, person)
  if (who === 'pro') return ['pro', 'admin', 'securedAdmin'].includes(person)
  if (who === 'seller') return person !== 'visitor'
  if (who === 'active') return person !== 'visitor' && person !== 'suspended'
  return true
}

type Asked = { what: string; method: string; place: string; row: Row; isPage: boolean }

const everything: Asked[] = [
  ...Object.entries(calls)
    // A logout would end the sessions of the test.
    .filter(([what]) => !what.endsWith('/logout'))
    .map(([what, row]) => ({ what, method: what.split(' ')[0]!, place: what.split(' ')[1]!, row, isPage: false })),
  ...Object.entries(pages).map(([place, row]) => ({ what: place, method: 'GET', place, row, isPage: true })),
]

/** Describes what is wrong with the response, or returns null. */
async function judge(app: App, asked: Asked, person: Person): Promise<string | null> {
  const [who] = asked.row.split('+') as [string]
  const { status, location, text } = await ask(app, asked.method, asked.place, person)
  const said = `${asked.what} as ${person}: ${status} ${location} ${text.slice(0, 120)}`
  if (status >= 500) return said
  // 404 means that the service behind the route is not configured here.
  if (who === 'machine') return [400, 401, 404].includes(status) ? null : said
  if (who === 'stand-in') return null
  const isIn = mayComeIn(app, who, person)
  // A refused person is sent to the login with the URL to return to. A page may redirect to the plain login for other
  // reasons.
  const isSentToLogIn = location.startsWith('/login?')
  if (asked.isPage) {
    const denial = person === 'admin' ? 'One more step' : 'Access Denied'
    // An administrator who lacks two-factor sign-in is shown how to set it up; everyone else is refused.
    if (who === 'admin' && !isIn && person !== 'admin' && status !== 403) return said
    if (who === 'admin') return text.includes(denial) === !isIn ? null : said
    return isSentToLogIn === !isIn ? null : said
  }
  const expected = person === 'visitor' ? 401 : 403
  if (!isIn) return status === expected || isSentToLogIn ? null : said
  return status === 401 || status === 403 ? said : null
}

/**
 * Calls a server action with invalid input.
 * @returns the code of the response, or NOT_SIGNED_IN for a redirect to the login. For a response without a code, it
 *   returns its status and the beginning of its text.
 */
async function callAction(app: App, { id, place }: BuiltAction, person: Person): Promise<string> {
  const answer = await fetch(app.url + fill(place), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie: cookies[person],
      origin: app.url,
      'next-action': id,
      'content-type': 'text/plain;charset=UTF-8',
    },
    body: '[{"nobodys":"input"}]',
  })
  const text = await answer.text()
  if (answer.headers.get('location')?.includes('/login?')) return 'NOT_SIGNED_IN'
  return /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? `${answer.status} ${text.slice(0, 200)}`
}

/**
 * Describes what is wrong with an action's response, or returns null. A person was let in if the input was validated.
 */
async function judgeAction(app: App, action: BuiltAction, person: Person): Promise<string | null> {
  const [who] = (actions[action.what] ?? 'missing').split('+') as [string]
  const code = await callAction(app, action, person)
  const denial = person === 'visitor' ? 'NOT_SIGNED_IN' : person === 'admin' ? 'TWO_FACTOR_REQUIRED' : 'FORBIDDEN'
  const expected = mayComeIn(app, who, person) ? 'INVALID_INPUT' : denial
  return code === expected ? null : `${action.what} as ${person}: ${code}`
}

/**
 * How many requests are open at a time. All of them at once would load every route's code at the same moment, and on a
 * busy machine the last ones would then wait longer for a connection to the database than a request may (503).
 */
const REQUESTS_AT_A_TIME = 16

/**
 * Requests every route except the logout, and every action, as this person. @returns descriptions of wrong responses.
 */
async function judgeAll(app: App, person: Person): Promise<string[]> {
  const left = [
    // POST /api/payouts/connect calls Stripe, so it is left out for `live`, whose keys Stripe would refuse.
    ...everything
      .filter(({ what }) => app !== live || what !== 'POST /api/payouts/connect')
      .map((asked) => () => judge(app, asked, person)),
    ...builtActions().map((action) => () => judgeAction(app, action, person)),
  ]
  const answers: (string | null)[] = []
  const judgeNext = async () => {
    for (let next = left.shift(); next; next = left.shift()) answers.push(await next())
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_A_TIME }, judgeNext))
  return answers.filter(isNotNull)
}

const isNotNull = <T>(value: T | null): value is T => value !== null

it('every route and action lets in exactly the people whom the table lets in', async () => {
  const wrong: string[] = []
  for (const person of people) wrong.push(...(await judgeAll(first, person)))
  expect(wrong).toEqual([])
}, 180_000)

it('requires two-factor sign-in of administrators where payments are real', async () => {
  const { databaseUrl, authSecret, cronSecret } = first
  const shared = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret, SEED_DEMO: '0' }
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_nobody_connect',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_nobody',
  }
  live = await startApp({ env: { ...shared, ...keys } })
  const wrong = [...(await judgeAll(live, 'admin')), ...(await judgeAll(live, 'securedAdmin'))]
  await live.stop()
  expect(wrong).toEqual([])
}, 180_000)

/**
 * Checks the condition repeatedly until it holds. Throws after `limitMs`.
 * @returns when the last check that failed began, in milliseconds after the start. The duration of the checks does not
 *   count, because it depends on how busy the machine is.
 */
async function until(condition: () => Promise<boolean>, limitMs: number): Promise<number> {
  const startedMs = performance.now()
  let lastMs = 0
  for (;;) {
    const sentMs = performance.now() - startedMs
    if (await condition()) return lastMs
    if (sentMs > limitMs) throw new Error(`not within ${limitMs} ms`)
    lastMs = sentMs
  }
}

describe('a paused platform', () => {
  const dropPage = `/drop/droutetabl`
  const statusOf = async (app: App, place: string, cookie = '') =>
    (await fetch(app.url + place, { headers: { cookie }, redirect: 'manual' })).status

  /** Paths that the kill switch closes. The shared cache serves some of them, and Next serves the others. */
  const shut = [
    dropPage,
    '/api/drop/droutetabl',
    '/profile/table_owner',
    '/signup',
    '/api/auth/check-username/somebody',
  ]
  const CHECKOUTS = 12
  let bought: { sessionId: string; url: string; isPaid: boolean }[] = []

  async function openCheckout(app: App, at: number) {
    const send = (more: object = {}, cookie = '') =>
      fetch(`${app.url}/api/checkout/create-session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.9.${at}`, cookie },
        body: JSON.stringify({ dropId: owned.dropId, productType: 'physical', ...more }),
      })
    let answer = await send()
    // All buyers of this test come from the same network, so the later ones need a proof of work.
    if (answer.status === 429) {
      const { work } = (await answer.json()) as { work: string }
      const cookies = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0])
      answer = await send({ work: answerWork(work) }, cookies.join('; '))
    }
    const { url } = (await answer.json()) as { url: string }
    return { url, sessionId: new URL(url).pathname.split('/').at(-1) ?? '' }
  }

  const pay = async (url: string) =>
    (
      await fetch(`${url}/pay`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'bea@example.com', cardNumber: '4242424242424242', name: 'Bea Buyer' }),
      })
    ).status === 303

  beforeAll(async () => {
    await query(`UPDATE "Drop" SET "quantity" = $2 WHERE "id" = $1`, [owned.dropId, CHECKOUTS])
    const open = await Promise.all(
      Array.from({ length: CHECKOUTS }, (_, at) => openCheckout(at % 2 ? first : second, at)),
    )
    // After these requests, both processes have the pages of the drop and the seller in their caches.
    for (const app of [first, second]) {
      for (const place of shut) expect([place, await statusOf(app, place)]).toEqual([place, 200])
    }
    // Half of the buyers pay while the kill switch is being turned on.
    const [paid, toggled] = await Promise.all([
      Promise.all(open.slice(0, CHECKOUTS / 2).map(({ url }) => pay(url))),
      post(`${first.url}/api/admin/toggle-platform`, { isActive: false }, cookies.admin),
    ])
    bought = open.map((checkout, at) => ({ ...checkout, isPaid: paid[at] ?? false }))
    expect(await toggled.json()).toEqual({ isActive: false })
    const took = await Promise.all(
      [first, second].flatMap((app) =>
        shut.map((place) => until(async () => (await statusOf(app, place)) === 503, 5_000)),
      ),
    )
    expect(Math.max(...took)).toBeLessThan(1_000)
  }, 180_000)

  it('keeps every paid session, closes every other, and handles every webhook', async () => {
    const unpaid = bought.filter(({ isPaid }) => !isPaid)
    expect(await Promise.all(unpaid.map(({ url }) => pay(url)))).toEqual(unpaid.map(() => false))
    for (const { sessionId } of bought.filter(({ isPaid }) => isPaid)) {
      for (const app of [first, second]) {
        await until(async () => (await statusOf(app, `/api/order/${sessionId}`)) === 200, 20_000)
      }
    }
    const left = async () =>
      Number((await query(`SELECT count(*) AS "left" FROM "SandboxDelivery" WHERE "deliveredAt" IS NULL`))[0]?.left)
    await until(async () => (await left()) === 0, 20_000)
    expect(await query(`SELECT DISTINCT "lastStatus" FROM "SandboxDelivery"`)).toEqual([{ lastStatus: 200 }])
    expect(await query(`SELECT "id" FROM "WebhookEvent" WHERE "handledAt" IS NULL`)).toEqual([])
    const [drop] = await query(`SELECT "sold", "held" FROM "Drop" WHERE "id" = $1`, [owned.dropId])
    expect(drop).toEqual({ sold: bought.length - unpaid.length, held: 0 })
  }, 60_000)

  it('returns 503 to everyone but administrators, except on routes that stay open, and 401 or 403 on admin routes', async () => {
    const wrong: string[] = []
    for (const app of [first, second]) {
      for (const person of ['visitor', 'owner', 'suspended'] as const) {
        const answers = everything.map(async (asked) => {
          const { status, headers, text } = await ask(app, asked.method, asked.place, person)
          const staysOpen = /\+open$|^machine$|^stand-in$/.test(asked.row)
          const isClosed = status === 503 && Number(headers.get('retry-after')) > 0
          const denial = person === 'visitor' && !asked.isPage ? 401 : 403
          const isRight = asked.row === 'admin' ? status === denial : isClosed === !staysOpen
          return isRight ? null : `${asked.what} as ${person}: ${status} ${text.slice(0, 80)}`
        })
        wrong.push(...(await Promise.all(answers)).filter(isNotNull))
      }
      const asOwner = builtActions().map(async (action) => {
        const isClosed = (await callAction(app, action, 'owner')) === 'PLATFORM_DISABLED'
        return isClosed === !actions[action.what]?.endsWith('+open') ? null : action.what
      })
      wrong.push(...(await Promise.all(asOwner)).filter(isNotNull), ...(await judgeAll(app, 'admin')))
    }
    expect(wrong).toEqual([])
  }, 180_000)

  it('stays paused for a request with the header of a server action', async () => {
    const answer = await fetch(first.url + dropPage, { headers: { 'next-action': 'x'.repeat(40) } })
    expect(answer.status).toBe(503)
  })

  it('stays paused while the database cannot be reached, and after a restart', async () => {
    proxy.cut()
    for (const cookie of ['', cookies.owner]) {
      expect(await statusOf(second, '/', cookie)).toBe(503)
      expect(await statusOf(second, dropPage, cookie)).toBe(503)
      expect(await statusOf(second, '/api/drop/droutetabl', cookie)).toBe(503)
      expect(await statusOf(second, `/o/${'x'.repeat(43)}`, cookie)).toBe(503)
      expect(await statusOf(second, '/terms-of-service', cookie)).toBe(200)
      expect(await statusOf(second, '/login', cookie)).toBe(cookie ? 503 : 200)
    }
    proxy.mend()
    await until(async () => (await statusOf(second, dropPage, cookies.admin)) === 200, 20_000)
    expect(await statusOf(second, dropPage)).toBe(503)
    await second.stop()
    const { authSecret, cronSecret } = first
    const shared = { DATABASE_URL: proxy.databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret, SEED_DEMO: '0' }
    second = await startApp({ env: shared })
    expect(await statusOf(second, dropPage)).toBe(503)
  }, 120_000)

  it('resumes in both processes within a second', async () => {
    await post(`${first.url}/api/admin/toggle-platform`, {}, cookies.admin)
    const took = await Promise.all(
      [first, second].map((app) => until(async () => (await statusOf(app, dropPage)) === 200, 5_000)),
    )
    expect(Math.max(...took)).toBeLessThan(1_000)
  })
})
