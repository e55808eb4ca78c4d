// npm run doctor: whether the money adds up (docs/operations.md). It prints one line per invariant and ends with 1 when one of
// them is broken.
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { driverAddress } from '../lib/kernel/database-address.mjs'
import { checkInvariants } from '../lib/operations/check-invariants.mjs'
import { explainDatabaseError } from '../lib/operations/explain-database-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { loadEnvironment } from './environment.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

process.chdir(root)
try {
  process.exitCode = (await diagnose()) ? 0 : 1
} catch (error) {
  reportFailure(error)
}

async function diagnose() {
  const environment = loadEnvironment('production')
  const { default: pg } = await import('pg')
  const databaseUrl = databaseUrlOf(environment)
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl) })
  await client.connect().catch((error) => {
    throw new Refusal(explainDatabaseError('DATABASE_URL', databaseUrl, error))
  })
  try {
    const findings = await checkInvariants(client)
    if (environment.stripeSecretKey) {
      const { findUnknownPayments } = await import('../lib/operations/find-unknown-payments.mjs')
      const unknown = await findUnknownPayments(client, environment.stripeSecretKey)
      findings.find(({ name }) => name === 'I3')?.breaches.push(...unknown)
    }
    for (const { name, holds, breaches } of findings) {
      console.log(`${breaches.length === 0 ? '✓' : '✗'} ${name} ${holds}`)
      for (const breach of breaches) console.log(`    ${JSON.stringify(breach)}`)
    }
    return findings.every(({ breaches }) => breaches.length === 0)
  } finally {
    await client.end()
  }
}

/** @param {{ databaseUrl: string | null, directDatabaseUrl: string | null, dataDir: string }} environment */
function databaseUrlOf({ databaseUrl, directDatabaseUrl, dataDir }) {
  const file = path.join(dataDir, 'database-url')
  if (databaseUrl) return directDatabaseUrl ?? databaseUrl
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new Refusal('There is no database yet: start with `npm start`, or set DATABASE_URL.')
}
