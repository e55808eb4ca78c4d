// npm run doctor: whether the money adds up (docs/operations.md). One line per invariant; ends with 1 when one is broken.
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadEnvironment } from './environment.mjs'
import { examine } from './invariants.mjs'
import { Refusal } from './output.mjs'
import { root } from './run-command.mjs'

process.chdir(root)
try {
  process.exitCode = (await diagnose()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
}

function databaseUrlOf({ databaseUrl, dataDir }) {
  const file = path.join(dataDir, 'database-url')
  if (databaseUrl) return databaseUrl
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new Refusal('There is no database yet: start with `npm start`, or set DATABASE_URL.')
}

async function diagnose() {
  const environment = loadEnvironment('production')
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: databaseUrlOf(environment) })
  await client.connect().catch((error) => {
    throw new Refusal(`The database cannot be reached (${error.code ?? error.message}): is the server running?`)
  })
  try {
    const findings = await examine(client)
    if (environment.stripeSecretKey) await askStripe(client, environment.stripeSecretKey, findings)
    for (const { name, holds, breaches } of findings) {
      console.log(`${breaches.length === 0 ? '✓' : '✗'} ${name} ${holds}`)
      for (const breach of breaches) console.log(`    ${JSON.stringify(breach)}`)
    }
    return findings.every(({ breaches }) => breaches.length === 0)
  } finally {
    await client.end()
  }
}

const DAYS_ASKED = 30
const SECONDS_UNTIL_STUCK = 600

/** I3 with real keys: what Stripe was paid in the last days must be known here. */
async function askStripe(client, secretKey, findings) {
  const { default: Stripe } = await import('stripe')
  const now = Math.floor(Date.now() / 1000)
  const created = { gte: now - DAYS_ASKED * 86_400, lte: now - SECONDS_UNTIL_STUCK }
  const payments = new Map()
  for await (const intent of new Stripe(secretKey).paymentIntents.list({ created, limit: 100 })) {
    if (intent.status === 'succeeded' && intent.metadata.orderId) payments.set(intent.id, intent.metadata.orderId)
  }
  const { rows } = await client.query(
    'SELECT "stripePaymentIntentId" AS "id" FROM "Order" WHERE "paidAt" IS NOT NULL AND "stripePaymentIntentId" = ANY($1)',
    [[...payments.keys()]],
  )
  for (const { id } of rows) payments.delete(id)
  const finding = findings.find(({ name }) => name === 'I3')
  for (const [payment, order] of [...payments].slice(0, 10)) finding.breaches.push({ payment, order })
}
