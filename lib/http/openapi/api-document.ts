import 'server-only'
import type { z } from 'zod/mini'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'
import { accountCalls } from './account-calls'
import { buyingCalls } from './buying-calls'
import { machineCalls } from './machine-calls'
import type { Answer, Body, Caller, Method, Operation, Operations } from './operation'
import { dropCalls, planCalls } from './selling-calls'
import { adminCalls } from './admin-calls'
import { errorBody, type Json, toJsonSchema } from './to-json-schema'
import { visitorCalls } from './visitor-calls'

type DescribedCall = {
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, { description: string; headers?: Json; content?: Record<string, { schema?: Json }> }>
}

export type ApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Partial<Record<Method, DescribedCall>>>
  components: { schemas: Record<string, Json>; securitySchemes: Json }
}

const GROUPS: [tag: string, calls: Operations][] = [
  ['Anyone', visitorCalls],
  ['Accounts', accountCalls],
  ['Drops', dropCalls],
  ['Buying', buyingCalls],
  ['Pro and payouts', planCalls],
  ['Administrators', adminCalls],
  ['Machines', machineCalls],
]

const REFUSALS: Record<number, string> = {
  400: 'Malformed or invalid.',
  401: 'Not signed in, or the secret or the password is wrong.',
  403: 'Not allowed: another origin, role, plan, suspension, or two-factor sign-in missing.',
  404: "Not found, or someone else's.",
  409: 'A conflict; `code` says which.',
  410: 'The link has expired.',
  413: 'Too large.',
  415: 'Wrong type of body.',
  429: 'Too many requests; `Retry-After` says in how many seconds to try again.',
  501: 'A format that is not offered.',
  503: 'The platform is paused, or a part of it is unavailable.',
}

const CALLERS: Record<Caller, { text: string; security: Record<string, string[]>[] }> = {
  anyone: { text: 'Anyone may call it.', security: [] },
  seller: { text: 'Needs a signed-in user, who may be suspended.', security: [{ session: [] }] },
  activeSeller: { text: 'Needs a signed-in user who is not suspended.', security: [{ session: [] }] },
  admin: { text: 'Needs an administrator.', security: [{ session: [] }] },
  cronSecret: { text: "Needs the installation's secret.", security: [{ cronSecret: [] }] },
  stripeSignature: { text: "Needs Stripe's signature.", security: [{ stripeSignature: [] }] },
  uploadThingSignature: { text: "Needs UploadThing's signature.", security: [{ uploadThingSignature: [] }] },
}

let made: ApiDocument | undefined

/**
 * Returns the description of the API as an OpenAPI 3.1 document. It is generated from the schemas that check the input
 * of the calls, and from the schemas of the views (docs/contract.md#document).
 */
export function apiDocument(): ApiDocument {
  return (made ??= makeDocument())
}

function makeDocument(): ApiDocument {
  const { appUrl, isSecureOrigin } = env()
  const schemas: Record<string, Json> = {}
  toJsonSchema(errorBody, 'output', schemas)
  const paths: ApiDocument['paths'] = {}
  for (const [tag, calls] of GROUPS) {
    for (const [path, operations] of Object.entries(calls)) {
      paths[path] = Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          describe({ path, tag, method, operation, schemas }),
        ]),
      )
    }
  }
  const cookie = isSecureOrigin ? SECURE_SESSION_COOKIE : SESSION_COOKIE
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand.name} API`,
      version: '1',
      description:
        'What programs can rely on. Fields are added and never renamed, so ignore fields you do not know. Bodies are JSON unless another type is named. Unknown fields of a body are refused.',
    },
    servers: [{ url: appUrl }],
    tags: GROUPS.map(([name]) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by `POST /api/auth/login`.' },
        cronSecret: { type: 'http', scheme: 'bearer', description: "The installation's `CRON_SECRET`." },
        stripeSignature: { type: 'apiKey', in: 'header', name: 'Stripe-Signature' },
        uploadThingSignature: { type: 'apiKey', in: 'header', name: 'x-uploadthing-signature' },
      },
    },
  }
}

type Described = {
  path: string
  tag: string
  method: string
  operation: Operation
  schemas: Record<string, Json>
}

function describe({ path, tag, method, operation, schemas }: Described): DescribedCall {
  const { who, body, query, isBodyOptional = false, answers } = operation
  const bodies = body === undefined ? [] : [body].flat()
  const content = bodies.map((one): [string, { schema: Json }] => [
    one.type ?? 'application/json',
    { schema: bodySchema(one, schemas) },
  ])
  const responses: DescribedCall['responses'] = {}
  for (const [status, answer] of Object.entries(answers)) {
    responses[status] = describeAnswer(answer, operation, schemas)
  }
  if (operation.isShared) responses['304'] = { description: 'Unchanged since the response with this `ETag`.' }
  for (const status of refusalsOf(path, method, operation)) {
    responses[status] ??= {
      description: REFUSALS[status] ?? 'Refused.',
      content: { 'application/json': { schema: ERROR } },
    }
  }
  responses.default = {
    description: 'Any other refusal or failure.',
    content: { 'application/json': { schema: ERROR } },
  }
  return {
    summary: operation.summary,
    description: CALLERS[who].text + (operation.isAlwaysOpen ? ' Stays open while the platform is paused.' : ''),
    tags: [tag],
    security: CALLERS[who].security,
    parameters: [...pathParameters(path), ...(query ? queryParameters(query, schemas) : [])],
    ...(content.length > 0 ? { requestBody: { required: !isBodyOptional, content: Object.fromEntries(content) } } : {}),
    responses,
  }
}

const ERROR = { $ref: '#/components/schemas/Error' }

/**
 * Returns the statuses with which a call may be refused: those that follow from the other fields of its operation, and
 * those that `refusals` lists.
 */
function refusalsOf(path: string, method: string, operation: Operation): number[] {
  const { who, body, query, isAlwaysOpen, isLimited, refusals = [] } = operation
  const isPersonal = who === 'seller' || who === 'activeSeller' || who === 'admin'
  const statuses = [
    ...(body || query || path.includes('{') ? [400] : []),
    ...(isPersonal || who === 'cronSecret' ? [401] : []),
    ...(isPersonal || method !== 'get' ? [403] : []),
    ...(body ? [413, 415] : []),
    ...(isLimited ? [429] : []),
    ...(isAlwaysOpen ? [] : [503]),
    ...refusals,
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function describeAnswer(
  { text, schema, type, headers = {} }: Answer,
  { isShared }: Operation,
  schemas: Record<string, Json>,
) {
  const shared = isShared ? { ETag: 'Allows `If-None-Match`.' } : {}
  const documented = Object.entries({ ...shared, ...headers }).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const content = schema
    ? { 'application/json': { schema: toJsonSchema(schema, 'output', schemas) } }
    : type
      ? { [type]: {} }
      : undefined
  return {
    description: text,
    ...(documented.length > 0 ? { headers: Object.fromEntries(documented) as Json } : {}),
    ...(content ? { content } : {}),
  }
}

function bodySchema({ schema, files = [] }: Body, schemas: Record<string, Json>): Json {
  const json = toJsonSchema(schema, 'input', schemas)
  if (files.length === 0) return json
  const parts = files.map((name) => [name, { type: 'string', contentMediaType: 'application/octet-stream' }])
  return { ...json, properties: { ...(json.properties as Json), ...Object.fromEntries(parts) } }
}

function pathParameters(path: string): DescribedCall['parameters'] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: z.ZodMiniType, schemas: Record<string, Json>): DescribedCall['parameters'] {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input', schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}
