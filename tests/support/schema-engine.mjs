#!/usr/bin/env node
// Stands in for the schema engine that Prisma's command line downloads, so that a test without internet can run the command
// line itself. It answers the same JSON-RPC protocol on standard input and output, and passes each request to the same
// engine as WebAssembly. Prisma starts it when PRISMA_SCHEMA_ENGINE_BINARY names this file.
import { createInterface } from 'node:readline'
import { withSchemaEngine } from '../../prisma/schema-engine.mjs'

const words = process.argv.slice(2)
const { url } = JSON.parse(words[words.indexOf('--datasource') + 1] ?? '{}')

// `cli can-connect-to-database` is answered by the exit code, and the first connection decides it.
if (words.includes('cli')) await withSchemaEngine(url, (engine) => engine.version())
else await withSchemaEngine(url, answerRequests)

/** @typedef {(params: unknown) => Promise<{ stdout?: string | null } | null | undefined>} EngineMethod */

/**
 * Answers each request with the method of the engine that has the request's name.
 * @param {object} engine
 */
async function answerRequests(engine) {
  const methods = /** @type {Record<string, EngineMethod>} */ (engine)
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line)
    const { stdout = null, ...result } = (await methods[method]?.call(engine, params)) ?? {}
    // The downloaded engine asks its caller to print the text of a diff.
    if (stdout !== null) send({ id: `print-${id}`, method: 'print', params: { content: stdout } })
    send({ id, result })
  }
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
