// The second reference server runs Next's route handlers with one SQL statement per step (bench/next-reference), to
// show what the framework alone costs. The server starts when a message arrives over IPC, and first builds the handlers
// if necessary.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { messageOf } from '../lib/kernel/caught-error.mjs'

/** @import { AddressInfo } from 'node:net' */

const STOCK = 1_000_000
const source = fileURLToPath(new URL('next-reference', import.meta.url))
/** The source is copied to this folder and built there, outside of the folders whose files are checked. */
const folder = fileURLToPath(new URL('../.data/bench/next-reference', import.meta.url))

/**
 * @typedef {{ databaseUrl: string, port?: number, stripe?: Record<string, string> }} Order `stripe` has the variables
 *   for a reference that calls the stand-in for Stripe as the application does
 */

process.on('message', async (/** @type {Order} */ { databaseUrl, port = 0, stripe }) => {
  try {
    build()
    await makeTables(databaseUrl)
    process.env.BENCH_DATABASE_URL = databaseUrl
    if (stripe) {
      process.env.BENCH_STRIPE_URL = stripe.STRIPE_API_URL
      process.env.BENCH_STRIPE_SECRET_KEY = stripe.STRIPE_SECRET_KEY
      process.env.BENCH_STRIPE_WEBHOOK_SECRET = stripe.STRIPE_WEBHOOK_SECRET
    }
    const { default: next } = await import('next')
    const app = next({ dev: false, dir: folder, quiet: true })
    await app.prepare()
    const server = createServer(app.getRequestHandler())
    server.listen(port, '127.0.0.1', () => {
      process.send?.({ port: /** @type {AddressInfo} */ (server.address()).port })
    })
  } catch (error) {
    process.send?.({ error: messageOf(error) })
  }
})
process.on('disconnect', () => process.exit())

function build() {
  const stamp = path.join(folder, '.next', 'built-from')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?[jt]s$/.test(name))
  const state = files
    .toSorted()
    .map((name) => readFileSync(path.join(source, name), 'utf8'))
    .join()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  // What an earlier build left there would change how Next reads the folder.
  rmSync(folder, { recursive: true, force: true })
  cpSync(source, folder, { recursive: true })
  const bin = createRequire(import.meta.url).resolve('next/dist/bin/next')
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: /** @type {const} */ ('production') }
  const { status, stderr } = spawnSync(process.execPath, [bin, 'build', folder], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The reference application was not built: ${stderr.slice(-500)}`)
  writeFileSync(stamp, state)
}

/** @param {string} databaseUrl */
async function makeTables(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    CREATE TABLE IF NOT EXISTS "bench"."Hold" ("id" bigserial PRIMARY KEY, "dropId" int NOT NULL, "state" text NOT NULL DEFAULT 'held');
    CREATE TABLE IF NOT EXISTS "bench"."NextOrder" ("id" bigserial PRIMARY KEY, "dropId" int NOT NULL, "holdId" bigint NOT NULL,
      "email" text, "createdAt" timestamptz NOT NULL DEFAULT now(), "paidAt" timestamptz);
    CREATE TABLE IF NOT EXISTS "bench"."Mail" ("id" bigserial PRIMARY KEY, "to" text, "text" text);
    ALTER TABLE "bench"."Stock" ADD COLUMN IF NOT EXISTS "sold" int NOT NULL DEFAULT 0;
    INSERT INTO "bench"."Stock" ("id", "left") VALUES (2, ${STOCK}) ON CONFLICT ("id") DO NOTHING`)
  await client.end()
}
