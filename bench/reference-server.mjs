// The reference server shows how fast plain node:http is on this machine at this moment. It serves reads from memory,
// with the bytes that the application sent, and sells with one SQL statement per step. It starts when a message arrives
// over IPC.
import { createServer } from 'node:http'
import pg from 'pg'
import { messageOf } from '../lib/kernel/caught-error.mjs'

/**
 * @import { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 *
 * @typedef {{ path: string, status: number, headers: IncomingHttpHeaders, body: string }} Page `body` in base64
 */

const STOCK = 1_000_000

/** @type {Map<string, { status: number, headers: IncomingHttpHeaders, body: Buffer }>} by path */
const answers = new Map()

process.on('message', async (/** @type {{ pages: Page[], databaseUrl: string }} */ { pages, databaseUrl }) => {
  try {
    for (const { path, status, headers, body } of pages)
      answers.set(path, { status, headers, body: Buffer.from(body, 'base64') })
    const pool = await openShop(databaseUrl)
    const server = createServer((request, response) => answer(pool, request, response))
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {AddressInfo} */ (server.address())
      process.send?.({ port })
    })
  } catch (error) {
    process.send?.({ error: messageOf(error) })
  }
})
process.on('disconnect', () => process.exit())

/**
 * @param {pg.Pool} pool
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function answer(pool, request, response) {
  if (request.method === 'POST') {
    sell(pool, request, response).catch((error) => response.writeHead(500).end(String(error)))
    return
  }
  const page = answers.get(request.url ?? '/')
  if (!page) return response.writeHead(404).end()
  if (page.headers.etag && request.headers['if-none-match'] === page.headers.etag) {
    return response.writeHead(304, { etag: page.headers.etag }).end()
  }
  response.writeHead(page.status, { ...page.headers, 'content-length': page.body.length }).end(page.body)
}

/**
 * Makes the tables of the reference in the application's database, so that both use the same Postgres and the same
 * disk. The pool has the same size as the application's.
 * @param {string} databaseUrl
 */
async function openShop(databaseUrl) {
  const opened = new pg.Pool({ connectionString: databaseUrl, max: 20, application_name: 'lastcall-bench' })
  await opened.query(`
    CREATE SCHEMA IF NOT EXISTS "bench";
    CREATE TABLE IF NOT EXISTS "bench"."Stock" ("id" int PRIMARY KEY, "left" int NOT NULL CHECK ("left" >= 0));
    CREATE TABLE IF NOT EXISTS "bench"."Order" ("id" bigserial PRIMARY KEY, "dropId" int NOT NULL, "email" text,
      "createdAt" timestamptz NOT NULL DEFAULT now(), "paidAt" timestamptz)`)
  await opened.query(
    `INSERT INTO "bench"."Stock" VALUES (1, ${STOCK}) ON CONFLICT ("id") DO UPDATE SET "left" = ${STOCK}`,
  )
  return opened
}

/**
 * @param {pg.Pool} pool
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function sell(pool, request, response) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  const sent = JSON.parse(text)
  if (request.url === '/api/checkout/create-session') {
    const { rows } = await pool.query({
      name: 'hold',
      text: `WITH taken AS (UPDATE "bench"."Stock" SET "left" = "left" - 1 WHERE "id" = 1 AND "left" >= 1 RETURNING "id")
             INSERT INTO "bench"."Order" ("dropId") SELECT "id" FROM taken RETURNING "id"`,
    })
    if (rows.length === 0) return response.writeHead(409).end()
    const body = JSON.stringify({ url: `/sandbox/checkout/${rows[0].id}` })
    return response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const { rowCount } = await pool.query({
    name: 'pay',
    text: `UPDATE "bench"."Order" SET "paidAt" = now(), "email" = $2 WHERE "id" = $1 AND "paidAt" IS NULL`,
    values: [request.url?.split('/')[3], sent.email],
  })
  return response.writeHead(rowCount === 1 ? 303 : 410, { location: '/' }).end()
}
