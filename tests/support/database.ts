// Runs before every integration and contract test file. It sets the application's environment and creates the database
// of the test file.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { processState } from '@/lib/kernel/process-state.mjs'

type TestRun = { serverUrl: string; poolerUrl: string | null; prefix: string; template: string; folder: string }

// A developer's configuration must not reach a test.
const APPLICATION_VARIABLES =
  /^(ADMIN_|STRIPE_|NEXT_PUBLIC_|SMTP_|MAIL_|MODERATION_|BRAND_|LEGAL_|SUPPORT_EMAIL$|PRIVACY_EMAIL$|HOST$|DIRECT_DATABASE_URL$|READ_DATABASE_URL$|UPLOADTHING_|ALLOW_SANDBOX_PAYMENTS$|TRUSTED_PROXY_HOPS$|SEED_DEMO$|SERVERLESS$|DATABASE_POOL_SIZE$|VERCEL)/

const run = JSON.parse(process.env.LASTCALL_TEST ?? '') as TestRun
const file = randomBytes(4).toString('hex')
const database = `${run.prefix}_${file}`
const urlOn = (server: string) => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
const directUrl = urlOn(run.serverUrl)
const dataDir = path.join(run.folder, file)
mkdirSync(dataDir, { recursive: true })

for (const name of Object.keys(process.env)) if (APPLICATION_VARIABLES.test(name)) delete process.env[name]
Object.assign(process.env, {
  DATABASE_URL: run.poolerUrl ? urlOn(run.poolerUrl) : directUrl,
  ...(run.poolerUrl ? { DIRECT_DATABASE_URL: directUrl } : {}),
  AUTH_SECRET: 'integration-tests-auth-secret-0123456789',
  CRON_SECRET: 'integration-tests-cron-secret-0123456789',
  NEXTAUTH_SECRET: 'integration-tests-auth-secret-0123456789',
  APP_URL: 'http://localhost:3000',
  NEXTAUTH_URL: 'http://localhost:3000',
  PORT: '3000',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
})

// Each test file has its own database, because some files examine the whole database and files run in any order.
beforeAll(async () => {
  const client = new Client(run.serverUrl)
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${run.template}`)
  } finally {
    await client.end()
  }
})

// Collectors gather events for a second before they write them. This makes them write now, because the test
// file closes its connections in its own afterAll(), which runs after this one.
afterAll(async () => {
  const flushes = processState('collector-flushes', () => new Map<string, () => Promise<void>>())
  await Promise.allSettled([...flushes.values()].map((flush) => flush()))
})
