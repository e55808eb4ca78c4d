import 'server-only'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node'

const withoutQuery = (name: string) => name.replace(/\?.*$/s, '')

/**
 * Removes secrets from spans, because some URLs open an order or a file, or reset a password. It removes the attributes
 * `http.target` and `http.url`, and the query from the span's name and from Next's copy of the name in
 * `next.span_name`. A request is then described by the pattern of its route (`/o/[token]`).
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
