// npm start and npm run dev (--dev) turn a fresh clone into a running application (docs/operations.md).
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLocalOrigin } from '../lib/infra/env-rules.mjs'
import { retryUntilThere } from '../lib/kernel/retry-until-there.mjs'
import { listenAddresses, LOOPBACK } from '../lib/server/listen-addresses.mjs'
import { awaitDatabases, refusalOfMigrations } from './await-databases.mjs'
import {
  createDataDir,
  exportEnvironment,
  loadEnvironment,
  readOrCreateSecrets,
  writePrivate,
} from './load-environment.mjs'
import { formatDuration } from './output.mjs'
import { isPortFree } from './ports.mjs'
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.mjs'
import { NEXT_ENVIRONMENT, prepare, prepareBuild } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { requestFirstPage } from './request-first-page.mjs'
import { root, stopCommands } from './run-command.mjs'
import { busyPort, serveApplication, stopApplication } from './serve-application.mjs'
import { watchAncestors } from './watch-ancestors.mjs'

const isDev = process.argv.includes('--dev')
/** With this flag the server ends when its parent does, because a test's server must not outlive the test. */
const isWithParent = process.argv.includes('--with-parent')
const startedAt = Date.now()
/** @type {Awaited<ReturnType<typeof serveApplication>> | undefined} */
let server
/** @type {Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined} */
let database
/** @type {Promise<void> | undefined} */
let stopping

process.chdir(root)
watchSignals()
try {
  await start()
} catch (error) {
  if (!stopping) {
    reportFailure(error)
    await stop(1)
  }
}

async function start() {
  const mode = isDev ? 'development' : 'production'
  Object.assign(process.env, { NODE_ENV: mode, ...NEXT_ENVIRONMENT })
  const environment = loadEnvironment(mode)
  const { port, appUrl, dataDir } = environment
  const addresses = listenAddresses(appUrl, process.env.HOST)
  await refuseBusyPort(port, addresses)

  createDataDir(dataDir)
  await prepare()
  const given = environment.databaseUrl
    ? await awaitDatabases({ ...environment, databaseUrl: environment.databaseUrl })
    : null
  if (!isDev) await prepareBuild()

  // From here on, no other user of this machine can read the files that this process writes.
  process.umask(0o077)
  const secrets = readOrCreateSecrets(dataDir)
  const databases = given ?? (await startDatabase(dataDir))
  const { sessionName, sessionUrl } = databases
  writePrivate(path.join(dataDir, 'database-url'), `${sessionUrl}\n`)
  exportEnvironment(environment, databases, {
    authSecret: environment.authSecret ?? secrets.authSecret,
    cronSecret: environment.cronSecret ?? secrets.cronSecret,
  })
  await migrateDatabase(sessionName, sessionUrl)
  server = await serveApplication({
    isDev,
    port,
    addresses,
    databaseUrl: sessionUrl,
    isStopping: () => stopping !== undefined,
  })
  await requestFirstPage(port, addresses)
  printWelcome(appUrl, dataDir)
  // This server speaks no TLS, so an https URL is that of a proxy. If the URL is public but only this machine can reach
  // the server, there must be a proxy in front of it, too.
  const isBehindProxy =
    appUrl.startsWith('https:') || (!isLocalOrigin(appUrl) && addresses.every((address) => LOOPBACK.includes(address)))
  if (isBehindProxy && environment.trustedProxyHops === 0)
    console.warn(
      'TRUSTED_PROXY_HOPS is 0, so all visitors behind your proxy count as one. Set it to the number of proxies.',
    )
}

/**
 * @param {number} port
 * @param {string[]} addresses
 */
async function refuseBusyPort(port, addresses) {
  for (const address of addresses) {
    // A server that was stopped a moment ago may still hold the port.
    for (let tries = 0; !(await isPortFree(port, address)); tries++) {
      if (tries === 10) throw busyPort(port)
      await sleep(100)
    }
  }
}

/**
 * Starts the built-in database.
 * @param {string} dataDir
 * @returns {ReturnType<typeof awaitDatabases>}
 */
async function startDatabase(dataDir) {
  database = await startEmbeddedPostgres({
    folder: path.join(dataDir, 'postgres'),
    onWaiting: () => console.log('… Waiting for the database of an earlier start'),
    onLost: (message) => {
      console.error(message)
      void stop(1)
    },
  })
  if (database.isGuest) console.log('✓ Sharing the database with the server that is already running on this DATA_DIR')
  const { databaseUrl } = database
  return {
    databaseUrl,
    directDatabaseUrl: null,
    readDatabaseUrl: null,
    sessionName: 'DATABASE_URL',
    sessionUrl: databaseUrl,
  }
}

/**
 * @param {string} name the variable that holds the URL
 * @param {string} databaseUrl
 */
async function migrateDatabase(name, databaseUrl) {
  const { migrate } = await import('../prisma/migrate.mjs')
  const onWaiting = (/** @type {string} */ cause) => console.log(`… Waiting for ${cause}`)
  try {
    const applied = await retryUntilThere(() => migrate(databaseUrl, { onWaiting }))
    if (applied.length > 0) console.log(`✓ Database migrated (${applied.length})`)
  } catch (error) {
    throw refusalOfMigrations(name, databaseUrl, error)
  }
}

/**
 * @param {string} appUrl
 * @param {string} dataDir
 */
function printWelcome(appUrl, dataDir) {
  console.log(`\nLastcall is ready at ${appUrl} (${formatDuration(Date.now() - startedAt)}). Ctrl-C stops it.`)
  const file = path.join(dataDir, 'demo-logins.json')
  if (!existsSync(file)) return
  /** @type {{ role: string, username: string, password: string }[]} */
  const logins = JSON.parse(readFileSync(file, 'utf8'))
  for (const { role, username, password } of logins) console.log(`  ${role.padEnd(8)} ${username} / ${password}`)
}

function watchSignals() {
  let firstAt = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // npm passes Ctrl-C on, although the terminal has already sent it to this process. A second signal within half a
      // second therefore counts as the same Ctrl-C.
      if (firstAt && Date.now() - firstAt > 500) process.exit(130)
      if (firstAt) return
      firstAt = Date.now()
      if (server) console.log('\nStopping after the requests under way. Press Ctrl-C again to stop right away.')
      void stop(0)
    })
  }
  if (process.env.npm_lifecycle_event || isWithParent) watchAncestors(() => void stop(0))
}

/**
 * Stops everything in an order in which each part still has what it needs: the requests, the application's background
 * work, and then the database.
 * @param {number} code
 */
function stop(code) {
  stopping ??= (async () => {
    stopCommands()
    database?.leave()
    await (server ? server.close() : stopApplication())
    await database?.stop()
    process.exit(code)
  })()
  return stopping
}
