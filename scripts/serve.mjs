// Serves the copy that `npm run build -- --standalone` makes, or any other finished build, with our own server. It
// installs, builds and migrates nothing and writes files only to DATA_DIR. It can therefore run as any user and on a
// read-only file system (docs/hosting.md#a-copy-without-the-project).
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { placeOf } from '../lib/kernel/database-address.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { retryUntilThere } from '../lib/kernel/retry-until-there.mjs'
import { listenAddresses } from '../lib/server/listen-addresses.mjs'
import { awaitDatabases, refusalOfMigrations } from './await-databases.mjs'
import { createDataDir, exportEnvironment, loadEnvironment, readOrCreateSecrets } from './load-environment.mjs'
import { formatDuration } from './output.mjs'
import { isPortFree } from './ports.mjs'
import { reportFailure } from './report-failure.mjs'
import { requestFirstPage } from './request-first-page.mjs'
import { root } from './run-command.mjs'
import { busyPort, serveApplication, stopApplication } from './serve-application.mjs'

const startedAt = Date.now()
/** @type {Awaited<ReturnType<typeof serveApplication>> | undefined} */
let server
/** @type {Promise<void> | undefined} */
let stopping

process.chdir(root)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(0))
try {
  await start()
} catch (error) {
  if (!stopping) {
    reportFailure(error)
    await stop(1)
  }
}

async function start() {
  Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
  const environment = loadEnvironment('production')
  const { port, appUrl, dataDir, authSecret } = environment
  if (!environment.databaseUrl || !authSecret) {
    throw new Refusal('DATABASE_URL and AUTH_SECRET must be set: this copy of Lastcall has no built-in database.')
  }
  adoptConfigOfBuild()
  createDataDir(dataDir)
  const addresses = listenAddresses(appUrl, process.env.HOST)
  for (const address of addresses) if (!(await isPortFree(port, address))) throw busyPort(port)
  const databases = await awaitDatabases({ ...environment, databaseUrl: environment.databaseUrl })
  const { sessionName, sessionUrl } = databases
  await refuseUnmigrated(sessionName, sessionUrl)
  const cronSecret = environment.cronSecret ?? readOrCreateSecrets(dataDir).cronSecret
  exportEnvironment(environment, databases, { authSecret, cronSecret })
  server = await serveApplication({
    port,
    addresses,
    databaseUrl: sessionUrl,
    isStopping: () => stopping !== undefined,
  })
  await requestFirstPage(port, addresses)
  console.log(`Lastcall is ready at ${appUrl} (${formatDuration(Date.now() - startedAt)}).`)
}

/**
 * Makes Next use the configuration that is stored in the build if next.config.js is missing, as in .next/standalone.
 */
function adoptConfigOfBuild() {
  const file = path.join(root, '.next', 'required-server-files.json')
  if (!existsSync(file)) throw new Refusal('There is no build here: run `npm run build` first.')
  if (existsSync(path.join(root, 'next.config.js'))) return
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).config)
}

/**
 * @param {string} name the variable that holds the URL
 * @param {string} databaseUrl
 */
async function refuseUnmigrated(name, databaseUrl) {
  const { listPending } = await import('../prisma/migrate.mjs')
  const pending = await retryUntilThere(() => listPending(databaseUrl)).catch((/** @type {unknown} */ error) => {
    throw refusalOfMigrations(name, databaseUrl, error)
  })
  if (pending.length > 0) {
    throw new Refusal(
      `The database at ${placeOf(databaseUrl)} lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}: run \`node prisma/migrate.mjs\` first.`,
    )
  }
}

/** @param {number} code */
function stop(code) {
  stopping ??= (async () => {
    await (server ? server.close() : stopApplication())
    process.exit(code)
  })()
  return stopping
}
