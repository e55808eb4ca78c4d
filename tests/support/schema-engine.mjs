#!/usr/bin/env node
// Replaces the schema engine that Prisma's command line downloads, so that a test can run the command line without
// internet access. This program speaks the same JSON-RPC protocol on standard input and output, and passes each request
// to the WebAssembly version of the engine. Prisma starts it when PRISMA_SCHEMA_ENGINE_BINARY names this file.
import { createInterface } from 'node:readline'
import { withSchemaEngine } from '../../prisma/schema-engine.mjs'

const words = process.argv.slice(2)
const { url } = JSON.parse(words[words.indexOf('--datasource') + 1] ?? '{}')

// The exit code of `cli can-connect-to-database` says whether the database could be reached.
if (words.includes('cli')) await withSchemaEngine(url, (engine) => engine.version())
else await withSchemaEngine(url, answerRequests)

/** @typedef {(params: unknown) => Promise<{ stdout?: string | null } | null | undefined>} EngineMethod */

/**
 * Answers each request by calling the engine's method of the same name.
 * @param {object} engine
 */
async function answerRequests(engine) {
  const methods = /** @type {Record<string, EngineMethod>} */ (engine)
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line)
    const { stdout = null, ...result } = (await methods[method]?.call(engine, params)) ?? {}
    // Like the downloaded engine, this one sends the text of a diff to its caller for printing.
    if (stdout !== null) send({ id: `print-${id}`, method: 'print', params: { content: stdout } })
    send({ id, result })
  }
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
