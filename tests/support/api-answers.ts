import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { apiDocument } from '@/lib/http/openapi/api-document'

type Json = Record<string, unknown>
type Responses = Record<string, { content?: Record<string, { schema?: Json }> }>
type Checked = { status: number; headers: Headers; text: () => Promise<string> }

let validators: Map<string, ValidateFunction> | undefined
let ajv: Ajv2020

/** Which answers were checked, as `GET /api/drop/{identifier} 200`. */
export const checkedAnswers = new Set<string>()

/**
 * Compares an answer of the API with the document of the API (docs/contract.md#document). An answer has exactly the
 * described fields: the document lets answers grow, but whoever adds a field adds it there as well.
 * @returns what is wrong, or null, also for addresses that are no calls.
 */
export async function problemOfAnswer(method: string, url: string, answer: Checked): Promise<string | null> {
  const { pathname } = new URL(url)
  if (!pathname.startsWith('/api/')) return null
  const said = `${method} ${pathname} ${answer.status}`
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]!.trim()
  const path = pathOf(pathname)
  const call = path && apiDocument().paths[path]?.[methodOf(method)]
  // An address that belongs to no call has to answer with an error of the usual form.
  const responses: Responses = call ? call.responses : { default: { content: ERROR_CONTENT } }
  const isRefusal = answer.status >= 400
  const response = responses[String(answer.status)] ?? (isRefusal ? responses.default : undefined)
  if (!response) return `${said}: this status is not in the document`
  checkedAnswers.add(`${method} ${path ?? pathname} ${answer.status}`)
  if (type === 'text/event-stream') return null
  const content = response.content ?? {}
  const text = method === 'HEAD' ? '' : await answer.text()
  if (Object.keys(content).length === 0) return text === '' || isRedirect(answer.status) ? null : `${said}: has a body`
  if (content['*/*'] || method === 'HEAD' || (isRefusal && type === 'text/html')) return null
  if (!content[type]) return `${said}: ${type || 'no type'} is not in the document`
  const { schema } = content[type]
  if (!schema) return null
  const validate = validatorOf(`${call ? `${method} ${path}` : 'default'} ${answer.status}`, schema)
  if (validate(JSON.parse(text))) return null
  return `${said}: ${ajv.errorsText(validate.errors)} (${text.slice(0, 300)})`
}

/** The same for a handler that a test calls by itself, without a server. */
export async function documented(method: string, path: string, answer: Response): Promise<Response> {
  expect(await problemOfAnswer(method, `http://localhost:3000${path}`, answer.clone())).toBeNull()
  return answer
}

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

const isRedirect = (status: number) => status >= 300 && status < 400

const methodOf = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase()) as 'get'

/** The path of the document that an address belongs to; paths with fewer parameters are tried first. */
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

/** The same schema without room for unknown fields. */
function closed(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    return isObject ? { additionalProperties: false, ...value } : value
  }) as Json
}
