import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { startApp } from '../support/app-server.mjs'
import { builtActions } from '../support/built-actions'
import { randomFrom } from '../support/chance'
import { buy, createDrop, freshAddress, type Shop, shopAt, signUp } from '../support/e2e'
import { calls, pages } from '../support/route-table'
import { type FuzzRequest, makeRequest, type Surface } from './make-request'
import type { Schema } from './make-value'
import { type FuzzAnswer, sendRequest } from './send-request'

const ADMIN = { email: 'root@lastcall.example', password: 'the-fuzz-administrator' }
const AT_ONCE = 12
/** Longer than every limit of time in the product but that of an upload, whose body is never slow here. */
const HANG_MS = 30_000
const SHOWN_LETTERS = 300

/**
 * What no stranger may read: the frames of a stack, and Postgres' or Prisma's words. The page of the API and its document
 * explain errors, so the words alone are no finding there.
 */
const LEAK = /\n\s+at (?:async )?[\w.<>]+ \(|PrismaClient|syntax error at or near|relation "|node_modules\//

/** Left out: a pause would turn every other answer into a 503, and a log-out would end an actor's session. */
const LEFT_OUT = /toggle-platform|\/logout|\/api\/cron\/|deleteAccountAction|endOtherDevices|endDevice/

type Finding = { what: string; request: FuzzRequest; answer: FuzzAnswer }
export type FuzzResult = {
  findings: Finding[]
  statuses: Record<string, number>
  /** The server's resident memory, in megabytes: after half of the requests, when every route is loaded, and at the end. */
  memoryMb: { half: number; end: number }
}

type Document = {
  paths: Record<
    string,
    Record<string, { parameters?: { in: string; name: string }[]; requestBody?: { content: Bodies } }>
  >
  components: { schemas: Record<string, Schema> }
}
type Bodies = Record<string, { schema: Schema }>

/** Sends random requests to every route, page and server action, as a visitor, a seller and an administrator. */
export async function runFuzz({ seed, requests }: { seed: number; requests: number }): Promise<FuzzResult> {
  const app = await startApp({ env: { SEED_DEMO: '0', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password } })
  const database = new Client(app.databaseUrl)
  try {
    await database.connect()
    const shop = shopAt(app.url, app.databaseUrl)
    const surface = await makeSurface(shop)
    const random = randomFrom(seed)
    const findings: Finding[] = []
    const statuses: Record<string, number> = {}
    let sent = 0
    let halfMb = 0
    const work = async () => {
      while (sent < requests) {
        sent += 1
        if (sent === Math.ceil(requests / 2)) halfMb = memoryOf(app.pid)
        const request = makeRequest(random, surface)
        // Each comes from a network of its own, so that the limits per network do not answer instead of the product.
        request.headers['x-forwarded-for'] = freshAddress()
        const answer = await sendRequest(app.url, request, HANG_MS)
        const status = 'failure' in answer ? answer.failure : String(answer.status)
        statuses[status] = (statuses[status] ?? 0) + 1
        const what = judge(answer)
        if (what) findings.push({ what, request: shorten(request), answer: shortenAnswer(answer) })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return { findings, statuses, memoryMb: { half: halfMb, end: memoryOf(app.pid) } }
  } finally {
    await database.end()
    await app.stop()
  }
}

/** Says what is wrong with an answer, or null. 501 and 503 are documented answers (docs/contract.md#errors). */
function judge(answer: FuzzAnswer): string | null {
  if ('failure' in answer) return answer.failure
  if (answer.status >= 500 && answer.status !== 501 && !(answer.status === 503 && answer.retryAfter)) {
    return `answered ${answer.status}`
  }
  return answer.status >= 400 && LEAK.test(answer.text) ? 'says how it failed inside' : null
}

const shorten = ({ body, path, ...rest }: FuzzRequest): FuzzRequest => ({
  ...rest,
  path: path.slice(0, SHOWN_LETTERS),
  ...(body === undefined ? {} : { body: body.slice(0, SHOWN_LETTERS) }),
})

const shortenAnswer = (answer: FuzzAnswer): FuzzAnswer =>
  'failure' in answer ? answer : { ...answer, text: answer.text.slice(0, SHOWN_LETTERS) }

/** The resident memory of a process, in megabytes. */
function memoryOf(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return Math.round((pages * 4_096) / 2 ** 20)
}

/** Makes two sellers, an administrator's session, three drops and an order, and lists everything that can be asked for. */
async function makeSurface(shop: Shop): Promise<Surface> {
  const seller = await signUp(shop, { plan: 'pro' })
  const other = await signUp(shop)
  const drops = [
    await createDrop(shop, seller, { quantity: '500' }),
    await createDrop(shop, seller, { optionName: 'Size', options: 'S 5, M 10' }),
    await createDrop(shop, other, { quantity: '400', maxPerBuyer: '2' }),
  ]
  await buy(shop, drops[0]?.id ?? 0)
  const orders = (await shop.query(`SELECT "id", "token", "stripeSessionId" FROM "Order"`)) as {
    id: string
    token: string
    stripeSessionId: string
  }[]
  const login = await fetch(`${shop.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const admin = login.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const ids = drops.map(({ id }) => String(id))
  const isIn = (name: string) => !LEFT_OUT.test(name)
  return {
    calls: Object.keys(calls).filter(isIn),
    pages: Object.keys(pages),
    actions: builtActions().filter(({ what }) => isIn(what)),
    documented: readDocument((await (await fetch(`${shop.url}/api/openapi.json`)).json()) as Document),
    parts: {
      identifier: drops.map(({ identifier }) => identifier),
      username: [seller.username, other.username],
      id: [...ids, ...orders.map(({ id }) => id), String(other.id)],
      dropId: ids,
      token: orders.map(({ token }) => token),
      sessionId: orders.map(({ stripeSessionId }) => stripeSessionId),
      nextauth: ['session', 'csrf', 'signout', 'providers', 'callback/credentials'],
      list: ['users', 'drops', 'orders'],
      step: ['confirm', 'leave'],
      key: ['previews/x.webp', 'drops/x.webp'],
      path: ['cs_test_x', 'pay'],
      name: ['drops-1.xml', 'sellers-1.xml'],
      unknown: ['nothing'],
    },
    cookies: ['', seller.cookie, other.cookie, admin],
  }
}

/** The bodies and query parameters of the document, by the call as the table of routes names it. */
function readDocument({ paths, components }: Document): Surface['documented'] {
  const documented: Surface['documented'] = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, '[$1]')}`
      const bodies = Object.entries(call.requestBody?.content ?? {})
      documented[name] = {
        bodies: bodies.map(([type, { schema }]) => ({ type, schema: resolve(schema, components.schemas) })),
        query: (call.parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name),
      }
    }
  }
  return documented
}

function resolve(schema: Schema, known: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? (known[name] ?? {}) : schema
}
