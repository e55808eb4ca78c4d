import type { ReadableSpan, Span } from '@opentelemetry/sdk-trace-node'
import { withoutAddresses } from './without-addresses'

const signed = 'fetch GET https://fra1.ingest.uploadthing.com/key?expires=1&signature=hmac-sha256%3Dsecret'

it('removes the query from the name of a span, and removes the attributes that hold the URL of the request', () => {
  const span = {
    name: signed,
    attributes: { 'http.url': signed, 'http.target': '/o/secret', 'next.span_name': signed, 'http.method': 'GET' },
    updateName(this: { name: string }, name: string) {
      this.name = name
    },
  } as unknown as Span & ReadableSpan
  withoutAddresses.onStart(span, {} as never)
  withoutAddresses.onEnd(span)
  expect(span.name).toBe('fetch GET https://fra1.ingest.uploadthing.com/key')
  expect(span.attributes).toEqual({ 'http.method': 'GET', 'next.span_name': span.name })
})
