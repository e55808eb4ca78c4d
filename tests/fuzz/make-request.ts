import type { BuiltAction } from '../support/built-actions'
import { makeValue, oneOf, type Random, type Schema, sometimes, strangeText, strangeValue } from './make-value'

export type FuzzRequest = { method: string; path: string; headers: Record<string, string>; body?: string; what: string }

/** The paths, actions and values from which random requests are made. */
export type Surface = {
  /** Calls as `METHOD /path/[name]`. */
  calls: readonly string[]
  pages: readonly string[]
  actions: readonly BuiltAction[]
  /** The bodies and query parameters of documented calls, by `METHOD /path/[name]`. */
  documented: Record<string, { bodies: { type: string; schema: Schema }[]; query: string[] }>
  /** The input of each action, by its name in the table of routes. */
  actionInputs: Record<string, Schema>
  /**
   * Values for each parameter of a path, by the name of the parameter. Most of these values exist in the application.
   */
  parts: Record<string, string[]>
  /** Values for fields of bodies and queries, by the name of the field. */
  fields: Record<string, unknown[]>
  cookies: readonly string[]
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=fuzz',
  'text/plain;charset=UTF-8',
  'application/octet-stream',
  'application/json; charset=utf-16',
  '',
]
const QUERY_NAMES = [
  'page',
  'q',
  'next',
  'sort',
  'status',
  'from',
  'to',
  'session_id',
  'variants',
  '_rsc',
  'code',
  'early',
  'country',
  'show',
  'before',
  'order',
  'size',
  'problem',
  'sent',
  'w',
  'v',
]

/** Makes a random request that is usually wrong in only a few places, so that many requests pass the first checks. */
export function makeRequest(random: Random, surface: Surface): FuzzRequest {
  const kind = random.below(10)
  const request =
    kind < 3 ? makePageRequest(random, surface) : kind < 5 ? makeActionCall(random, surface) : makeCall(random, surface)
  if (sometimes(random, 12)) request.method = oneOf(random, METHODS)
  for (let left = random.below(3); left > 0; left -= 1) disturbHeaders(random, request)
  // Node's HTTP client refuses to send headers with some characters, so a question mark replaces each of them.
  for (const name of Object.keys(request.headers)) request.headers[name] = headerText(request.headers[name] ?? '')
  return request
}

const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 6_000)

function makePath(random: Random, surface: Surface, pattern: string): string {
  const path = pattern.replaceAll(/\[\[?([^\]]+)\]\]?/g, (_whole, name: string) => {
    const known = surface.parts[name.replace('...', '')] ?? ['nothing']
    if (!sometimes(random, 4)) return oneOf(random, known)
    return sometimes(random, 3) ? strangeText(random).slice(0, 2_000) : safeEncode(strangeText(random).slice(0, 500))
  })
  // A request line must not contain spaces, control characters or characters outside ASCII.
  return path.replaceAll(/[^\x21-\x7e]/g, (letter) => safeEncode(letter))
}

function safeEncode(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

function makeQuery(random: Random, names: readonly string[], fields: Surface['fields']): string {
  const pairs = Array.from({ length: random.below(4) }, () => {
    const name = sometimes(random, 10) ? strangeText(random).slice(0, 200) : oneOf(random, names)
    const known = fields[name]
    const value =
      known && sometimes(random, 2)
        ? textOf(oneOf(random, known))
        : sometimes(random, 2)
          ? strangeText(random).slice(0, 1_000)
          : String(random.below(9))
    return `${safeEncode(name)}=${safeEncode(value)}`
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const cookieFor = (random: Random, { cookies }: Surface): string =>
  sometimes(random, 12) ? `${oneOf(random, cookies)}; lastcall=${strangeText(random)}` : oneOf(random, cookies)

function makePageRequest(random: Random, surface: Surface): FuzzRequest {
  const page = oneOf(random, surface.pages)
  const path = makePath(random, surface, page) + makeQuery(random, QUERY_NAMES, surface.fields)
  return { method: 'GET', path, headers: { cookie: cookieFor(random, surface) }, what: page }
}

function makeActionCall(random: Random, surface: Surface): FuzzRequest {
  const action = oneOf(random, surface.actions)
  const known = Object.values(surface.parts).flat()
  const schema = surface.actionInputs[action.what] ?? {}
  const body = sometimes(random, 6)
    ? strangeText(random)
    : JSON.stringify(
        sometimes(random, 8) ? strangeValue(random) : [makeValue(random, schema, { known, fields: surface.fields })],
      )
  return {
    method: 'POST',
    path: makePath(random, surface, action.place),
    headers: {
      cookie: cookieFor(random, surface),
      'next-action': sometimes(random, 15) ? strangeText(random) : action.id,
      'content-type': sometimes(random, 8) ? oneOf(random, TYPES) : 'text/plain;charset=UTF-8',
    },
    body,
    what: `action ${action.what}`,
  }
}

function makeCall(random: Random, surface: Surface): FuzzRequest {
  const call = oneOf(random, surface.calls)
  const [method = 'GET', pattern = '/'] = call.split(' ')
  const { bodies, query } = surface.documented[call] ?? { bodies: [], query: [] }
  const path = makePath(random, surface, pattern) + makeQuery(random, [...query, ...QUERY_NAMES], surface.fields)
  const headers: Record<string, string> = { cookie: cookieFor(random, surface) }
  if (method === 'GET') return { method, path, headers, what: call }
  const body = bodies.length > 0 ? oneOf(random, bodies) : { type: oneOf(random, TYPES), schema: {} }
  const type = sometimes(random, 10) ? oneOf(random, TYPES) : body.type
  headers['content-type'] = type.startsWith('multipart/') ? 'multipart/form-data; boundary=fuzz' : type
  const known = Object.values(surface.parts).flat()
  const value = makeValue(random, body.schema, { known, fields: surface.fields })
  return { method, path, headers, body: encode(random, type, value), what: call }
}

const textOf = (one: unknown): string => (typeof one === 'string' ? one : (JSON.stringify(one) ?? ''))

function encode(random: Random, type: string, value: unknown): string {
  if (sometimes(random, 15)) return strangeText(random)
  const fields = Object.entries(typeof value === 'object' && value !== null ? value : { value })
  if (type.startsWith('application/x-www'))
    return fields.map(([name, one]) => `${safeEncode(name)}=${safeEncode(textOf(one))}`).join('&')
  if (type.startsWith('multipart/')) {
    const parts = fields.map(
      ([name, one]) => `--fuzz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${textOf(one)}\r\n`,
    )
    return `${parts.join('')}--fuzz${sometimes(random, 10) ? '' : '--'}\r\n`
  }
  const json = JSON.stringify(value) ?? ''
  return sometimes(random, 20) ? json.slice(0, -1) : json
}

const HEADERS: Record<string, readonly string[]> = {
  origin: ['null', 'https://evil.example', 'x'],
  accept: ['text/html', 'application/json', '*/*;q=x', 'text/x-component'],
  'accept-encoding': ['br', 'gzip;q=0', 'nonsense', '*'],
  'accept-language': ['xx-YY', '*', '-'],
  range: ['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'lines=1'],
  'if-none-match': ['*', '"x"', 'W/""'],
  'if-modified-since': ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'x-forwarded-host': ['evil.example', ''],
  'x-forwarded-proto': ['https', 'gopher'],
  'sec-fetch-site': ['cross-site', 'x'],
  'next-router-state-tree': ['x', '%5B%22%22%5D', '[]'],
  rsc: ['1'],
  'next-router-prefetch': ['1', '2'],
  authorization: ['Bearer x', 'Basic eA==', 'Bearer'],
  'stripe-signature': ['t=1,v1=x', 'x'],
  'user-agent': ['', 'Instagram 1.0', 'x'.repeat(3_000)],
  expect: ['100-continue'],
  'idempotency-key': ['x'.repeat(500), ''],
}

function disturbHeaders(random: Random, request: FuzzRequest): void {
  const name = oneOf(random, Object.keys(HEADERS))
  request.headers[name] = sometimes(random, 4) ? strangeText(random) : oneOf(random, HEADERS[name] ?? [''])
}
