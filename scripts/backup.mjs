// npm run backup [folder] [--keep N] writes all rows of the database, and the uploads and secrets in DATA_DIR, into one
// folder (docs/operations.md). It may run beside the server, because all rows are read as of one moment. Rows are
// written as JSON, so that any later version of Postgres can read them. With --keep, only the N newest backups in
// DATA_DIR/backups stay.
import './require-node.mjs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Refusal } from '../lib/operations/refusal.mjs'
import { databaseAddress } from './database-address.mjs'
import { loadEnvironment } from './load-environment.mjs'
import { formatDuration } from './output.mjs'
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.mjs'
import { prepare } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

const startedAt = Date.now()
let database
try {
  process.chdir(root)
  const { given, keep } = readWords()
  const environment = loadEnvironment('production')
  const { dataDir } = environment
  await prepare()
  let databaseUrl = environment.databaseUrl ? await databaseAddress(environment) : null
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const folder = path.resolve(given ?? path.join(dataDir, 'backups', stamp))
  // Without DATABASE_URL, the command uses the embedded database of a running server. If no server runs, the command
  // starts the database and stops it after the backup.
  if (!databaseUrl) {
    database = await startEmbeddedPostgres({ folder: path.join(dataDir, 'postgres') })
    databaseUrl = database.databaseUrl
  }
  const { writeBackup } = await import('../lib/operations/write-backup.mjs')
  const rows = await writeBackup({ folder, dataDir, databaseUrl })
  console.log(`✓ ${rows} rows and the files are in ${folder} (${formatDuration(Date.now() - startedAt)})`)
  console.log('  It holds secrets and personal data: keep it where only you can read it.')
  if (keep) {
    const { pruneBackups } = await import('../lib/operations/prune-backups.mjs')
    const old = pruneBackups(path.dirname(folder), keep)
    if (old.length > 0) console.log(`  Deleted older backups: ${old.join(', ')}`)
  }
} catch (error) {
  reportFailure(error)
} finally {
  await database?.stop()
}

/**
 * Reads the folder and the number of backups that stay from the command line.
 * @returns {{ given: string | undefined, keep: number | null }}
 */
function readWords() {
  const usage = 'Usage: npm run backup -- [folder], or npm run backup -- --keep 7 for DATA_DIR/backups.'
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } })
    const [given, ...more] = positionals
    const keep = values.keep === undefined ? null : Number(values.keep)
    const isUsable = keep === null || (Number.isInteger(keep) && keep >= 1 && given === undefined)
    if (more.length === 0 && isUsable) return { given, keep }
  } catch {
    // The words have an option that does not exist, or --keep has no number.
  }
  throw new Refusal(usage)
}
