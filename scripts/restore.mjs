// npm run restore <folder> restores a backup of npm run backup. The current embedded database and files are kept next
// to the restored ones. Any other database has to be empty (docs/operations.md).
import './require-node.mjs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'
import { databaseAddress } from './database-address.mjs'
import { createDataDir, loadEnvironment } from './load-environment.mjs'
import { formatDuration } from './output.mjs'
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.mjs'
import { prepare } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

const startedAt = Date.now()
let database
try {
  process.chdir(root)
  const [given] = process.argv.slice(2)
  if (!given) throw new Refusal('Name the folder of the backup: npm run restore -- .data/backups/…')
  const environment = loadEnvironment('production')
  const { dataDir } = environment
  await prepare()
  let databaseUrl = environment.databaseUrl ? await databaseAddress(environment) : null
  createDataDir(dataDir)
  if (!databaseUrl) {
    database = await startEmbeddedPostgres({ folder: path.join(dataDir, 'postgres') })
    if (database.isGuest) throw new Refusal('The application is running on this DATA_DIR: stop it first.')
    databaseUrl = database.databaseUrl
  }
  const { restoreBackup } = await import('../lib/operations/restore-backup.mjs')
  const { rows, kept } = await restoreBackup({
    folder: path.resolve(given),
    dataDir,
    databaseUrl,
    isEmbedded: database !== undefined,
  })
  console.log(`✓ ${rows} rows and the files are back (${formatDuration(Date.now() - startedAt)})`)
  for (const place of kept) console.log(`  Kept from before: ${place}`)
} catch (error) {
  reportFailure(error)
} finally {
  await database?.stop()
}
