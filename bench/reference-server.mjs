// The reference: what plain node:http does on this machine at this moment. It answers the very bytes the application
// answered, from memory; and it sells with one SQL statement per step, with nothing around it. Started over IPC.
import { createServer } from 'node:http'
import pg from 'pg'

const STOCK = 1_000_000

let answers = new Map()
let pool

process.on('message', async ({ pages, databaseUrl }) => {
  try {
    answers = new Map(pages.map((page) => [page.path, { ...page, body: Buffer.from(page.body, 'base64') }]))
    pool = await openShop(databaseUrl)
    const server = createServer(answer)
    server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  } catch (error) {
    process.send({ error: String(error?.message ?? error) })
  }
})
process.on('disconnect', () => process.exit())

function answer(request, response) {
  if (request.method === 'POST') {
    sell(request, response).catch((error) => response.writeHead(500).end(String(error)))
    return
  }
  const page = answers.get(request.url)
  if (!page) return response.writeHead(404).end()
  if (page.headers.etag && request.headers['if-none-match'] === page.headers.etag) {
    return response.writeHead(304, { etag: page.headers.etag }).end()
  }
  response.writeHead(200, { ...page.headers, 'content-length': page.body.length }).end(page.body)
}

/** Tables of its own in the application's database: the same Postgres, the same disk, the same pool size. */
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

async function sell(request, response) {
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
    values: [request.url.split('/')[3], sent.email],
  })
  return response.writeHead(rowCount === 1 ? 303 : 410, { location: '/' }).end()
}
