import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { anchorOf, type Schema, SchemaFields, SchemaType } from './schema-fields'

type Content = Record<string, { schema?: Schema }>

type Call = {
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

type ApiReferenceProps = {
  tags: { name: string }[]
  paths: Record<string, Partial<Record<string, Call>>>
  schemas: Record<string, Schema>
}

/** Lists the API's calls for human readers, group by group, and then the named schemas that the calls refer to. */
export function ApiReference({ tags, paths, schemas }: ApiReferenceProps) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, call]) => (call ? [{ path, method, call }] : [])),
  )
  return (
    <div className="grid gap-12">
      {tags.map(({ name }) => (
        <section key={name} aria-labelledby={headingIdOf(name)} className="grid gap-3">
          <h2 id={headingIdOf(name)} className="scroll-mt-6 text-2xl font-bold">
            {name}
          </h2>
          {calls
            .filter(({ call }) => call.tags.includes(name))
            .map((one) => (
              <CallDetails key={`${one.method} ${one.path}`} {...one} />
            ))}
        </section>
      ))}
      <section aria-labelledby="shapes" className="grid gap-3">
        <h2 id="shapes" className="scroll-mt-6 text-2xl font-bold">
          Schemas
        </h2>
        {Object.entries(schemas).map(([name, schema]) => (
          <Card key={name} id={anchorOf(name)} className="grid scroll-mt-6 gap-3 p-4">
            <h3 className="font-semibold">{name}</h3>
            <SchemaFields schema={schema} />
          </Card>
        ))}
      </section>
    </div>
  )
}

/** Returns the id of a group's heading on the page. */
export const headingIdOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

function CallDetails({ path, method, call }: { path: string; method: string; call: Call }) {
  const { summary, description, parameters, requestBody, responses } = call
  return (
    <details className="rounded-control border border-control/60 bg-surface">
      <summary className="grid min-h-11 cursor-pointer gap-0.5 rounded-control px-4 py-2 hover:bg-sunken">
        <span className="flex flex-wrap items-center gap-2">
          <Badge variant="default">{method.toUpperCase()}</Badge>
          <code className="text-sm wrap-anywhere">{path}</code>
        </span>
        <span className="text-sm text-muted">{summary}</span>
      </summary>
      <div className="grid gap-4 px-4 pb-4">
        <p className="text-sm">{description}</p>
        {parameters.length > 0 ? (
          <Part title="Parameters">
            <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
              {parameters.map(({ name, in: place, required, schema }) => (
                <div key={name} className="contents">
                  <dt className="font-mono">
                    {name}
                    {required ? null : <span className="text-muted"> (optional)</span>}
                  </dt>
                  <dd className="text-muted">
                    <SchemaType schema={schema} />, in the {place}
                  </dd>
                </div>
              ))}
            </dl>
          </Part>
        ) : null}
        {requestBody ? (
          <Part title={requestBody.required ? 'Body' : 'Body (optional)'}>
            <Bodies content={requestBody.content} />
          </Part>
        ) : null}
        <Part title="Responses">
          {Object.entries(responses).map(([status, { description: text, content = {} }]) => (
            <div key={status} className="grid gap-1">
              <p className="text-sm">
                <strong>{status === 'default' ? 'Otherwise' : status}</strong> {text}
              </p>
              {/^2/.test(status) ? <Bodies content={content} /> : null}
            </div>
          ))}
        </Part>
      </div>
    </details>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-2 border-t pt-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </div>
  )
}

function Bodies({ content }: { content: Content }) {
  return Object.entries(content).map(([type, { schema }]) => (
    <div key={type} className="grid gap-1">
      {type === 'application/json' ? null : <p className="text-sm text-muted">As {type}</p>}
      {schema ? <SchemaFields schema={schema} /> : null}
    </div>
  ))
}
