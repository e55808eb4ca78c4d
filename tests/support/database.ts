// Runs before every integration test file. It sets the application's environment and gives the file its own database.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'

type TestRun = { serverUrl: string; prefix: string; template: string; folder: string }

// A developer's configuration must not reach a test.
const APPLICATION_VARIABLES =
  /^(ADMIN_|STRIPE_|NEXT_PUBLIC_|SMTP_|MAIL_|MODERATION_|UPLOADTHING_|ALLOW_SANDBOX_PAYMENTS$|TRUSTED_PROXY_HOPS$|SEED_DEMO$|SERVERLESS$|DATABASE_POOL_SIZE$|VERCEL)/

const run = JSON.parse(process.env.LASTCALL_TEST ?? '') as TestRun
const file = randomBytes(4).toString('hex')
const database = `${run.prefix}_${file}`
const databaseUrl = new URL(run.serverUrl)
databaseUrl.pathname = `/${database}`
const dataDir = path.join(run.folder, file)
mkdirSync(dataDir, { recursive: true })

for (const name of Object.keys(process.env)) if (APPLICATION_VARIABLES.test(name)) delete process.env[name]
Object.assign(process.env, {
  DATABASE_URL: databaseUrl.href,
  AUTH_SECRET: 'integration-tests-auth-secret-0123456789',
  CRON_SECRET: 'integration-tests-cron-secret-0123456789',
  NEXTAUTH_SECRET: 'integration-tests-auth-secret-0123456789',
  APP_URL: 'http://localhost:3000',
  NEXTAUTH_URL: 'http://localhost:3000',
  PORT: '3000',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
})

// No file sees the rows of another one, because some examine the whole database and the order of files is not fixed.
beforeAll(async () => {
  const client = new Client(run.serverUrl)
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${run.template}`)
  } finally {
    await client.end()
  }
})
