// npm run backup [folder]: everything this installation is, into one folder, while it runs: every row at one moment, the
// uploads and the secrets (docs/operations.md). Rows are written as JSON, so that any later Postgres reads them.
import './require-node.mjs'
import path from 'node:path'
import { loadEnvironment } from './environment.mjs'
import { startEmbeddedPostgres } from './embedded-postgres.mjs'
import { formatDuration, Refusal } from './output.mjs'
import { prepare } from './prepare.mjs'
import { root } from './run-command.mjs'

const startedAt = Date.now()
let database
try {
  process.chdir(root)
  const { dataDir, databaseUrl } = loadEnvironment('production')
  await prepare()
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const folder = path.resolve(process.argv[2] ?? path.join(dataDir, 'backups', stamp))
  // A server that is running is joined, else its database is started for as long as this takes.
  database = databaseUrl ? null : await startEmbeddedPostgres({ folder: path.join(dataDir, 'postgres') })
  const { writeBackup } = await import('./backup-files.mjs')
  const rows = await writeBackup({ folder, dataDir, databaseUrl: databaseUrl ?? database.databaseUrl })
  console.log(`✓ ${rows} rows and the files are in ${folder} (${formatDuration(Date.now() - startedAt)})`)
  console.log('  It holds secrets and personal data: keep it where only you can read it.')
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
} finally {
  await database?.stop()
}
