// npm run restore <folder>: what npm run backup wrote, back in its place. The embedded database and the files that are there
// now are kept beside it; a database of your own has to be empty (docs/operations.md).
import './require-node.mjs'
import path from 'node:path'
import { createDataDir, loadEnvironment } from './environment.mjs'
import { startEmbeddedPostgres } from './embedded-postgres.mjs'
import { formatDuration, Refusal } from './output.mjs'
import { prepare } from './prepare.mjs'
import { root } from './run-command.mjs'

const startedAt = Date.now()
let database
try {
  process.chdir(root)
  const [given] = process.argv.slice(2)
  if (!given) throw new Refusal('Name the folder of the backup: npm run restore -- .data/backups/…')
  const { dataDir, databaseUrl } = loadEnvironment('production')
  await prepare()
  createDataDir(dataDir)
  database = databaseUrl ? null : await startEmbeddedPostgres({ folder: path.join(dataDir, 'postgres') })
  if (database?.isGuest) throw new Refusal('The application is running on this DATA_DIR: stop it first.')
  const { readBackup } = await import('./backup-files.mjs')
  const { rows, kept } = await readBackup({
    folder: path.resolve(given),
    dataDir,
    databaseUrl: databaseUrl ?? database.databaseUrl,
    isEmbedded: !databaseUrl,
  })
  console.log(`✓ ${rows} rows and the files are back (${formatDuration(Date.now() - startedAt)})`)
  for (const place of kept) console.log(`  Kept from before: ${place}`)
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
} finally {
  await database?.stop()
}
