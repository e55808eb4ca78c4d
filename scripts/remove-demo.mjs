// npm run remove-demo removes the demo's accounts, drops and orders, except for accounts that sold something for real
// money (docs/operations.md).
import './require-node.mjs'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { driverAddress } from '../lib/kernel/database-address.mjs'
import { explainDatabaseError } from '../lib/operations/explain-database-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { removeDemo } from '../lib/operations/remove-demo.mjs'
import { databaseAddress, databaseVariable } from './database-address.mjs'
import { loadEnvironment } from './load-environment.mjs'
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.mjs'
import { prepare } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

/** @type {Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined} */
let database
process.chdir(root)
try {
  const environment = loadEnvironment('production')
  await prepare()
  await databaseAddress(environment)
  // Without DATABASE_URL, the command uses the embedded database of a running server. If no server runs, the command
  // starts the database and stops it after the removal.
  if (!environment.databaseUrl) {
    database = await startEmbeddedPostgres({ folder: path.join(environment.dataDir, 'postgres') })
  }
  const databaseUrl = database?.databaseUrl ?? (await databaseAddress(environment))
  const { removed, kept } = await work(databaseVariable(environment), databaseUrl)
  rmSync(path.join(environment.dataDir, 'demo-logins.json'), { force: true })
  console.log(
    removed.length > 0 ? `✓ Removed with their drops and orders: ${removed.join(', ')}` : '✓ There is no demo here.',
  )
  if (kept.length > 0) {
    console.log(`! Kept, because they sold for real money: ${kept.join(', ')}. Close them in the admin panel.`)
  }
} catch (error) {
  reportFailure(error)
} finally {
  await database?.stop()
}

/**
 * @param {string} name the variable that holds the URL
 * @param {string} databaseUrl
 */
async function work(name, databaseUrl) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl) })
  try {
    await client.connect()
    return await removeDemo(client)
  } catch (error) {
    throw new Refusal(explainDatabaseError(name, databaseUrl, error))
  } finally {
    await client.end().catch(() => {})
  }
}
