import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { GET } from '@/app/api/openapi.json/route'
import { type ApiDocument, apiDocument } from '@/lib/http/openapi/api-document'
import { problemOfAnswer } from '@/tests/support/api-answers'

// Checks the OpenAPI document of the API (docs/contract.md#document) against the routes and the contract.
const methodsIn = (text: string) => {
  const declared = [...text.matchAll(/export (?:const|function|async function) (GET|POST|PATCH|PUT|DELETE)\b/g)]
  const renamed = [...text.matchAll(/\bas (GET|POST|PATCH|PUT|DELETE)\b/g)]
  return [...declared, ...renamed].map(([, method = '']) => method)
}

/** The calls that next-auth handles. They share one route file, so the test cannot find them by their folders. */
/** A call of the contract that is no handler of app/api. */
const OUTSIDE_API = ['GET /drop/{identifier}/opengraph-image']
const OF_NEXT_AUTH = ['GET /api/auth/session', 'GET /api/auth/csrf', 'POST /api/auth/signout']
/**
 * Route files that the search below skips: that of next-auth, whose calls are listed above, and two whose calls are not
 * in the document.
 */
const NO_CALLS = [
  'api/auth/[...nextauth]/route.ts',
  'api/[[...unknown]]/route.ts',
  // This route passes calls on to the stand-in for Stripe, which has the same API as Stripe.
  'api/sandbox/stripe/v1/[...path]/route.ts',
]

const documented = () =>
  Object.entries(apiDocument().paths).flatMap(([callPath, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${callPath}`),
  )

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(apiDocument())))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the document has every call of app/api and no other', () => {
  const files = readdirSync('app/api', { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('api', name.split(path.sep).join('/')))
    .filter((name) => name.endsWith('/route.ts') && !NO_CALLS.includes(name))
  const calls = files.flatMap((name) =>
    methodsIn(readFileSync(path.join('app', name), 'utf8')).map(
      (method) => `${method} /${path.posix.dirname(name).replace(/\[(\w+)\]/g, '{$1}')}`,
    ),
  )
  expect(documented().sort()).toEqual([...calls, ...OF_NEXT_AUTH, ...OUTSIDE_API].sort())
})

test('the document has every call of the contract', () => {
  const contract = readFileSync('docs/contract.md', 'utf8')
  const rows = contract.split('\n').filter((line) => line.startsWith('|'))
  const named = rows.flatMap((line) =>
    [...line.matchAll(/`(GET|POST|PATCH|DELETE) (\/api\/[^`?\s]+)/g)].map(
      ([, method, callPath]) => `${method} ${callPath}`,
    ),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((call) => !documented().includes(call))).toEqual([])
})

test('every reference leads to a schema, and every call has a description and an error response', () => {
  const text = JSON.stringify(apiDocument())
  const { components, paths } = apiDocument()
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => !(name in components.schemas))).toEqual([])
  expect(text).not.toContain('#/$defs/')
  expect(Object.entries(components.schemas).filter(([, { type }]) => type !== 'object')).toEqual([])
  const bare = Object.values(paths)
    .flatMap((calls) => Object.values(calls))
    .filter(({ description, responses }) => description === '' || !responses.default)
  expect(bare).toEqual([])
})

test('a request body is documented with the fields and limits of the schema that checks it', () => {
  const { post } = apiDocument().paths['/api/auth/signup'] ?? {}
  const schema = post?.requestBody?.content['application/json']?.schema
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
  expect(Object.keys(schema?.properties as object).sort()).toEqual(
    ['email', 'firstName', 'lastName', 'password', 'plan', 'timezone', 'username'].sort(),
  )
  const create = apiDocument().paths['/api/drops']?.post?.requestBody?.content ?? {}
  expect(create['multipart/form-data']?.schema.properties).toMatchObject({
    title: { type: 'string', maxLength: expect.any(Number) },
    image4: { contentMediaType: 'application/octet-stream' },
  })
})

test('the document is publicly cacheable, and a conditional request for an unchanged one gets a 304', async () => {
  const ask = (headers: Record<string, string> = {}) =>
    GET(new Request('http://localhost:3000/api/openapi.json', { headers }), { params: Promise.resolve({}) })
  const first = await ask()
  expect(first.status).toBe(200)
  expect(first.headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=1/)
  expect(((await first.json()) as ApiDocument).openapi).toBe('3.1.0')
  const second = await ask({ 'if-none-match': first.headers.get('etag') ?? '' })
  expect([second.status, await second.text()]).toEqual([304, ''])
})

const figures = { totalUsers: 1, activeDrops: 0, totalOrders: 0, totalViews: 0 }
const refusal = { error: 'No.', message: 'No.', code: 'FORBIDDEN', requestId: 'req_1' }

test.each<
  [what: string, method: string, path: string, status: number, body: object | string | null, problem: RegExp | null]
>([
  ['a correct response', 'GET', '/api/admin/stats', 200, figures, null],
  ['an additional field', 'GET', '/api/admin/stats', 200, { ...figures, more: 1 }, /additional properties/],
  ['a missing field', 'GET', '/api/admin/stats', 200, { totalUsers: 1 }, /required property 'activeDrops'/],
  ['a wrong type', 'GET', '/api/admin/stats', 200, { ...figures, totalViews: '3' }, /must be integer/],
  ['an undocumented status', 'GET', '/api/admin/stats', 201, figures, /this status is not in the document/],
  ['a response that is not JSON', 'GET', '/api/admin/stats', 200, 'figures', /text\/plain is not in the document/],
  ['a missing field inside a named schema', 'GET', '/api/drops/user', 200, [{ id: 1 }], /must have required property/],
  ['an error response', 'GET', '/api/admin/stats', 403, refusal, null],
  [
    'an error response with a stack',
    'GET',
    '/api/admin/stats',
    403,
    { ...refusal, stack: 'at x' },
    /additional properties/,
  ],
  ['an error response for an unknown URL', 'GET', '/api/nothing', 404, refusal, null],
  ['a successful response for an unknown URL', 'GET', '/api/nothing', 200, {}, /this status is not in the document/],
  ['an empty body where none is documented', 'DELETE', '/api/drops/1', 204, null, null],
  ['a fixed path that also matches a path with a parameter', 'GET', '/api/drops/user', 200, [], null],
])(
  '%s is judged correctly when responses are compared with the document',
  async (_what, method, path, status, body, problem) => {
    const isJson = typeof body === 'object' && body !== null
    const answer = isJson ? Response.json(body, { status }) : new Response(body, { status })
    const found = await problemOfAnswer(method, `http://localhost:3000${path}`, answer)
    if (problem) expect(found).toMatch(problem)
    else expect(found).toBeNull()
  },
)
