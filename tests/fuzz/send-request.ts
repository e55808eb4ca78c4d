import { Agent, request as httpRequest } from 'node:http'
import type { FuzzRequest } from './make-request'

export type FuzzAnswer =
  { status: number; text: string; ms: number; retryAfter?: string } | { failure: string; ms: number }

const agent = new Agent({ keepAlive: true, maxSockets: 32 })
/**
 * Longer responses are cut off after this many bytes. Event streams have no end, so they are cut off after one chunk.
 */
const MAX_BYTES = 300_000

/**
 * Sends one request without changing its path and headers, which fetch() would correct. Resolves with a `failure` if
 * the server does not respond within `limitMs`, or closes the connection before it responds.
 */
export function sendRequest(origin: string, request: FuzzRequest, limitMs: number): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(origin)
  const startedMs = performance.now()
  const took = () => performance.now() - startedMs
  const { method, path, body } = request
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve) => {
    const headers = { ...request.headers, ...length, host: `${hostname}:${port}` }
    const sent = httpRequest({ hostname, port, method, path, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const finish = () => {
        clearTimeout(limit)
        const text = Buffer.concat(chunks).toString('latin1')
        resolve({ status: answer.statusCode ?? 0, text, ms: took(), retryAfter: answer.headers['retry-after'] })
      }
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (isStream || bytes > MAX_BYTES) answer.destroy()
      })
      answer.on('close', finish)
    })
    const limit = setTimeout(() => {
      resolve({ failure: `no response within ${limitMs} ms`, ms: took() })
      sent.destroy()
    }, limitMs)
    sent.on('error', (error) => {
      clearTimeout(limit)
      resolve({ failure: error.message, ms: took() })
    })
    sent.end(body)
  })
}
