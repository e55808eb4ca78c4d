// npm run backup [folder] writes all that makes up this installation into one folder, even while it runs: every row as of one
// moment, the uploads and the secrets (docs/operations.md). Rows are written as JSON, so that any later Postgres can read them.
import './require-node.mjs'
import path from 'node:path'
import { databaseAddress } from './database-address.mjs'
import { loadEnvironment } from './environment.mjs'
import { formatDuration } from './output.mjs'
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.mjs'
import { prepare } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

const startedAt = Date.now()
let database
try {
  process.chdir(root)
  const environment = loadEnvironment('production')
  const { dataDir } = environment
  await prepare()
  let databaseUrl = environment.databaseUrl ? await databaseAddress(environment) : null
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const folder = path.resolve(process.argv[2] ?? path.join(dataDir, 'backups', stamp))
  // This joins the database of a server that runs; without one it starts the database until the backup is done.
  if (!databaseUrl) {
    database = await startEmbeddedPostgres({ folder: path.join(dataDir, 'postgres') })
    databaseUrl = database.databaseUrl
  }
  const { writeBackup } = await import('../lib/operations/write-backup.mjs')
  const rows = await writeBackup({ folder, dataDir, databaseUrl })
  console.log(`✓ ${rows} rows and the files are in ${folder} (${formatDuration(Date.now() - startedAt)})`)
  console.log('  It holds secrets and personal data: keep it where only you can read it.')
} catch (error) {
  reportFailure(error)
} finally {
  await database?.stop()
}
