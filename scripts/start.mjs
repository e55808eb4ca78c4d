// npm start, npm run dev (--dev): from a fresh clone to a serving application (docs/operations.md).
import './require-node.mjs'
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchAncestors } from './ancestors.mjs'
import { createDataDir, loadEnvironment, readOrCreateSecrets, writePrivate } from './environment.mjs'
import { startEmbeddedPostgres } from './embedded-postgres.mjs'
import { formatDuration, Refusal } from './output.mjs'
import { isPortFree } from './ports.mjs'
import { NEXT_ENVIRONMENT, prepare, prepareBuild } from './prepare.mjs'
import { root, stopCommands } from './run-command.mjs'
import { listenAddresses, startWebServer } from './web-server.mjs'

const isDev = process.argv.includes('--dev')
// A test's server must not outlive the test.
const isWithParent = process.argv.includes('--with-parent')
const startedAt = Date.now()
let cache
let server
let database
let stopping

process.chdir(root)
watchSignals()
try {
  await start()
} catch (error) {
  if (!stopping) {
    console.error(error instanceof Refusal ? error.message : error)
    await stop(1)
  }
}

async function start() {
  process.env.NODE_ENV = isDev ? 'development' : 'production'
  Object.assign(process.env, NEXT_ENVIRONMENT)
  const environment = loadEnvironment(process.env.NODE_ENV)
  const { port, appUrl, dataDir } = environment
  const addresses = listenAddresses(appUrl, process.env.HOST)
  await refuseBusyPort(port, addresses)

  await prepare()
  if (!isDev) await prepareBuild()

  createDataDir(dataDir)
  const secrets = readOrCreateSecrets(dataDir)
  const databaseUrl = environment.databaseUrl ?? (await startDatabase(dataDir))
  writePrivate(path.join(dataDir, 'database-url'), `${databaseUrl}\n`)
  const authSecret = environment.authSecret ?? secrets.authSecret
  Object.assign(process.env, {
    PORT: String(port),
    APP_URL: appUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: authSecret,
    CRON_SECRET: environment.cronSecret ?? secrets.cronSecret,
    // Decided here: once DATABASE_URL is set, the application cannot tell the embedded database from another.
    SEED_DEMO: environment.seedDemo ? '1' : '0',
    // The names next-auth reads.
    NEXTAUTH_URL: appUrl,
    NEXTAUTH_SECRET: authSecret,
  })
  await migrateDatabase(databaseUrl)
  await serve(port, addresses)
  await firstAnswer(port, addresses)
  printWelcome(appUrl, dataDir)
}

async function refuseBusyPort(port, addresses) {
  for (const address of addresses) {
    // A server that was stopped a moment ago may not have let go yet.
    for (let tries = 0; !(await isPortFree(port, address)); tries++) {
      if (tries === 10) throw busyPort(port)
      await sleep(100)
    }
  }
}

function busyPort(port) {
  return new Refusal(`Port ${port} is busy: stop the program that uses it, or set PORT to another one.`)
}

async function startDatabase(dataDir) {
  database = await startEmbeddedPostgres({
    folder: path.join(dataDir, 'postgres'),
    onWaiting: () => console.log('… Waiting for the database of an earlier start'),
    onLost: (message) => {
      console.error(message)
      void stop(1)
    },
  })
  if (database.isGuest) console.log('✓ Sharing the database of the server that already runs on this DATA_DIR')
  return database.databaseUrl
}

async function migrateDatabase(databaseUrl) {
  const { migrate } = await import('../prisma/migrate.mjs')
  try {
    const applied = await migrate(databaseUrl)
    if (applied.length > 0) console.log(`✓ Database migrated (${applied.length})`)
  } catch (error) {
    const { host } = new URL(databaseUrl)
    throw new Refusal(`The database at ${host} cannot be used: ${error.message || error.code}`)
  }
}

async function serve(port, addresses) {
  const { default: next } = await import('next')
  // Next hangs its WebSocket handler (hot reload) on one server: it gets a stand-in, and both of ours pass on to that.
  const upgrades = new EventEmitter()
  const app = next({ dev: isDev, dir: root, hostname: 'localhost', port, httpServer: upgrades, quiet: !isDev })
  await app.prepare()
  if (stopping) return
  const handle = app.getRequestHandler()
  // Not before the install: it needs the database's driver.
  const { startSharedCache } = await import('./shared-cache.mjs')
  const { serveStaticFiles } = await import('./static-files.mjs')
  cache = isDev ? null : await startSharedCache({ handle, databaseUrl: process.env.DATABASE_URL })
  const answer = cache ? serveStaticFiles(path.join(root, '.next'), cache.handle) : handle
  try {
    server = await startWebServer({
      port,
      addresses,
      handle: answer,
      upgrades: isDev ? upgrades : undefined,
    })
  } catch (error) {
    throw error.code === 'EADDRINUSE' ? busyPort(port) : error
  }
}

/** Next begins the application's own start (instrumentation.ts, the demo included) with the first request: be that one. */
async function firstAnswer(port, [address]) {
  const host = address === '0.0.0.0' ? '127.0.0.1' : isIPv6(address) ? `[${address}]` : address
  const answer = await fetch(`http://${host}:${port}/api/health`)
  await answer.arrayBuffer()
}

function printWelcome(appUrl, dataDir) {
  console.log(`\nLastcall is ready at ${appUrl} (${formatDuration(Date.now() - startedAt)}). Ctrl-C stops it.`)
  const file = path.join(dataDir, 'demo-logins.json')
  if (!existsSync(file)) return
  for (const { role, username, password } of JSON.parse(readFileSync(file, 'utf8'))) {
    console.log(`  ${role.padEnd(8)} ${username} / ${password}`)
  }
}

function watchSignals() {
  let firstAt = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // npm passes Ctrl-C on although the terminal has sent it to us already: within a moment it is the same one.
      if (firstAt && Date.now() - firstAt > 500) process.exit(130)
      if (firstAt) return
      firstAt = Date.now()
      if (server) console.log('\nStopping: requests under way may end. Ctrl-C again stops at once.')
      void stop(0)
    })
  }
  if (process.env.npm_lifecycle_event || isWithParent) watchAncestors(() => void stop(0))
}

/** Ends in the order of need: requests, then what the application runs beside them, then the database. */
function stop(code) {
  stopping ??= (async () => {
    stopCommands()
    database?.leave()
    cache?.endStreams()
    await server?.close()
    await cache?.close()
    const hooks = [...(globalThis.lastcallShutdown ?? [])]
    await Promise.allSettled(hooks.map((hook) => hook()))
    await database?.stop()
    process.exit(code)
  })()
  return stopping
}
