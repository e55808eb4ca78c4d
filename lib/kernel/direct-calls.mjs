import { processState } from './process-state.mjs'

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 *
 * @typedef {{ path: string, headers: IncomingHttpHeaders, body: Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null
 *   }} DirectRequest
 * @typedef {{ status: number, headers: [string, string][], body: string }} DirectAnswer
 * @typedef {(request: DirectRequest) => Promise<DirectAnswer>} DirectCall
 */

/**
 * The POST calls that our own server answers without Next's router, by their path (ADR 0057). The application runs from
 * a bundle with its own copies of modules, so the server can reach these calls only through the state of the process.
 * @returns {Map<string, DirectCall>}
 */
export function directCalls() {
  return processState('direct-calls', () => new Map())
}
