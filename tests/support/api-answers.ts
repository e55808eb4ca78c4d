import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { apiDocument } from '@/lib/http/openapi/api-document'

type Json = Record<string, unknown>
type Responses = Record<string, { content?: Record<string, { schema?: Json }> }>
type Checked = { status: number; headers: Headers; text: () => Promise<string> }

let validators: Map<string, ValidateFunction> | undefined
let ajv: Ajv2020

/** The responses that were checked, for example `GET /api/drop/{identifier} 200`. */
export const checkedAnswers = new Set<string>()

/**
 * Compares a response of the API with the API document (docs/contract.md#document). The document permits
 * additional fields, but this check refuses them, so that nobody forgets to document a new field.
 * @returns a description of the problem, or null if there is none. URLs outside `/api/` are not checked.
 */
export async function problemOfAnswer(method: string, url: string, answer: Checked): Promise<string | null> {
  const { pathname } = new URL(url)
  if (!pathname.startsWith('/api/')) return null
  const label = `${method} ${pathname} ${answer.status}`
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]!.trim()
  const path = pathOf(pathname)
  const call = path && apiDocument().paths[path]?.[methodOf(method)]
  // A URL that belongs to no call has to return an error. If the error is JSON, it has the usual form.
  const responses: Responses = call ? call.responses : { default: { content: ERROR_CONTENT } }
  const isRefusal = answer.status >= 400
  const response = responses[String(answer.status)] ?? (isRefusal ? responses.default : undefined)
  if (!response) return `${label}: this status is not in the document`
  checkedAnswers.add(`${method} ${path ?? pathname} ${answer.status}`)
  if (type === 'text/event-stream') return null
  const content = response.content ?? {}
  const text = method === 'HEAD' ? '' : await answer.text()
  if (Object.keys(content).length === 0) return text === '' || isRedirect(answer.status) ? null : `${label}: has a body`
  if (content['*/*'] || method === 'HEAD' || (isRefusal && type === 'text/html')) return null
  if (!content[type]) return `${label}: ${type || 'no type'} is not in the document`
  const { schema } = content[type]
  if (!schema) return null
  const validate = validatorOf(`${call ? `${method} ${path}` : 'default'} ${answer.status}`, schema)
  if (validate(JSON.parse(text))) return null
  return `${label}: ${ajv.errorsText(validate.errors)} (${text.slice(0, 300)})`
}

/** Expects the response of a route handler that a test called directly to match the API document, and returns it. */
export async function documented(method: string, path: string, answer: Response): Promise<Response> {
  expect(await problemOfAnswer(method, `http://localhost:3000${path}`, answer.clone())).toBeNull()
  return answer
}

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

const isRedirect = (status: number) => status >= 300 && status < 400

const methodOf = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase()) as 'get'

/** Returns the path in the document that matches a URL. Paths with fewer parameters are tried first. */
function pathOf(pathname: string): string | undefined {
  const paths = Object.keys(apiDocument().paths).sort((a, b) => a.split('{').length - b.split('{').length)
  return paths.find((path) =>
    new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
}

function validatorOf(key: string, schema: Json): ValidateFunction {
  if (!validators) {
    validators = new Map()
    ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats(ajv)
    ajv.addSchema({ $id: 'api', components: closed(apiDocument().components) })
  }
  const known = validators.get(key)
  if (known) return known
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"api#/components/')
  const made = ajv.compile(JSON.parse(text) as Json)
  validators.set(key, made)
  return made
}

/** Returns a copy of the schema that does not allow unknown fields. */
function closed(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    return isObject ? { additionalProperties: false, ...value } : value
  }) as Json
}
