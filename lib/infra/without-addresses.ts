import 'server-only'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node'

const withoutQuery = (name: string) => name.replace(/\?.*$/s, '')

/**
 * Removes addresses from spans, because some open orders or reset passwords: the attributes `http.target` and `http.url`,
 * and queries in names, of which Next keeps a copy in `next.span_name`: the query of a signed address opens a file. A request
 * is then described by the pattern of its route (`/o/[token]`).
 */
export const withoutAddresses: SpanProcessor = {
  onStart: (span) => void span.updateName(withoutQuery(span.name)),
  onEnd: ({ attributes }) => {
    delete attributes['http.target']
    delete attributes['http.url']
    const copy = attributes['next.span_name']
    if (typeof copy === 'string') attributes['next.span_name'] = withoutQuery(copy)
  },
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
}
