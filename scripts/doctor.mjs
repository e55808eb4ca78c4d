// npm run doctor checks that the money adds up (docs/operations.md). It prints one line per invariant and one per
// breach. With a Stripe key, it also looks for payments at Stripe that belong to no paid order. The exit code is 1 when
// an invariant is broken.
import './require-node.mjs'
import { driverAddress } from '../lib/kernel/database-address.mjs'
import { checkInvariants } from '../lib/operations/check-invariants.mjs'
import { explainDatabaseError } from '../lib/operations/explain-database-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { databaseAddress, databaseVariable } from './database-address.mjs'
import { loadEnvironment } from './load-environment.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'
import { stripeClient } from './stripe-client.mjs'

process.chdir(root)
try {
  process.exitCode = (await diagnose()) ? 0 : 1
} catch (error) {
  reportFailure(error)
}

async function diagnose() {
  const environment = loadEnvironment('production')
  const { default: pg } = await import('pg')
  const databaseUrl = await databaseAddress(environment)
  const refuse = (/** @type {unknown} */ error) => {
    throw new Refusal(explainDatabaseError(databaseVariable(environment), databaseUrl, error))
  }
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl) })
  await client.connect().catch(refuse)
  try {
    const findings = await checkInvariants(client).catch(refuse)
    if (environment.stripeSecretKey) {
      const { findUnknownPayments } = await import('../lib/operations/find-unknown-payments.mjs')
      const unknown = await findUnknownPayments(client, await stripeClient(environment))
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
