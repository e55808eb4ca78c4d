/** The parts of a JSON Schema that the page shows. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  contentMediaType?: string
}

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''

/** Returns the id that a named schema has on the page. */
export const anchorOf = (name: string) => `schema-${name}`

/** Describes the type of a value in a few words, such as "string, at most 80 characters". */
export function SchemaType({ schema }: { schema: Schema }) {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    return (
      <a href={`#${anchorOf(name)}`} className="font-medium underline underline-offset-2">
        {name}
      </a>
    )
  }
  if (schema.items) {
    return (
      <>
        list of <SchemaType schema={schema.items} />
      </>
    )
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    return choices.map((choice, at) => (
      <span key={at}>
        {at > 0 ? ' or ' : ''}
        <SchemaType schema={choice} />
      </span>
    ))
  }
  return <>{plainType(schema)}</>
}

function plainType({ enum: values, const: only, contentMediaType, type, format, ...limits }: Schema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(', ')
  if (only !== undefined) return JSON.stringify(only)
  if (contentMediaType) return 'file'
  const { minimum, maximum, minLength, maxLength, default: defaultValue } = limits
  return [
    format ?? (type === undefined ? 'any' : [type].flat().join(' or ')),
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    defaultValue !== undefined && `default ${JSON.stringify(defaultValue)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Lists the fields of a request body or a response, one per line. */
export function SchemaFields({ schema }: { schema: Schema }) {
  const inner = schema.items ?? schema
  const fields = Object.entries(inner.properties ?? {})
  if (fields.length === 0) {
    return (
      <p className="text-sm">
        <SchemaType schema={schema} />
      </p>
    )
  }
  return (
    <>
      {schema.items ? <p className="text-sm text-muted">A list. Each entry has:</p> : null}
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
        {fields.map(([name, field]) => (
          <div key={name} className="contents">
            <dt className="font-mono wrap-anywhere">
              {name}
              {inner.required?.includes(name) ? null : <span className="text-muted"> (optional)</span>}
            </dt>
            <dd className="mb-1 wrap-anywhere text-muted">
              {field.properties ? <SchemaFields schema={field} /> : <SchemaType schema={field} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
