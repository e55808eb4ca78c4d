// Starts Postgres and stops it when its standard input closes: the kernel closes that pipe however the server ends, by
// kill -9 too, so no Postgres stays behind. Runs in a session of its own: Ctrl-C in the terminal does not reach it, and
// the server can finish its requests first. Reads one line of JSON, answers in lines of JSON.
import { spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, isPortFree } from './ports.mjs'
import * as cluster from './postgres-cluster.mjs'

// A server that was told to stop finishes its requests (25 s) before its database goes.
const TAKEOVER_MS = 60_000
const START_MS = 180_000
const FAST_STOP_MS = 30_000
const LOG_LIMIT_BYTES = 10_000_000

let isStopping = false
let postgres = null
/** @type {{ folder: string, bin: string, ownerPid: number, isTemporary: boolean }} */
let config
let port = 0

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => hear(JSON.parse(line)))
lines.once('close', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
process.stdout.on('error', () => {})

/** First the order to start, later perhaps the word that the server is about to go. */
function hear(message) {
  if (message.order === 'start') {
    config = message
    keep().catch((error) => fail(error.message))
  } else if (postgres) {
    void record({ isLeaving: true })
  }
}

const record = (more) =>
  cluster.writeKeeperFile(config.folder, {
    keeperPid: process.pid,
    ownerPid: config.ownerPid,
    postmasterPid: postgres.pid,
    port,
    ...more,
  })

async function keep() {
  const { folder } = config
  const dataFolder = cluster.dataFolderOf(folder)
  await cluster.createClusterIfMissing(config)
  let deadline = Date.now() + TAKEOVER_MS
  let hasSaidWaiting = false
  while (!isStopping) {
    const live = await cluster.findPostmaster(dataFolder)
    if (!live) {
      if (await start()) return
    } else if (!live.isOurs) {
      await rm(path.join(dataFolder, 'postmaster.pid'), { force: true })
    } else if (await canShare(folder, live)) {
      await announce({ isGuest: true, port: live.port })
      // The host may leave first: then this keeper takes over, on the same port.
      while (!isStopping && cluster.isAlive(live.pid)) await sleep(500)
      deadline = Date.now() + TAKEOVER_MS
    } else if (Date.now() > deadline) {
      return fail(`Another Postgres (process ${live.pid}) does not let go of ${dataFolder}: stop it first.`)
    } else {
      if (!hasSaidWaiting) say({ event: 'waiting' })
      hasSaidWaiting = true
    }
    await sleep(50)
  }
  process.exit(0)
}

async function announce(state) {
  say({ event: 'ready', password: await cluster.readPassword(config.folder), ...state })
}

/** Whether another live server owns the running Postgres. One whose keeper is gone too is told to stop. */
async function canShare(folder, live) {
  const read = () => cluster.readKeeperFile(folder)
  // The file is written just after Postgres takes its lock: give a starting neighbour that moment.
  for (let tries = 0; tries < 40 && read().postmasterPid !== live.pid; tries++) await sleep(50)
  const { postmasterPid, keeperPid, ownerPid, isLeaving } = read()
  const isKnown = postmasterPid === live.pid
  if (isKnown && cluster.isAlive(ownerPid)) return live.isReady && !isLeaving
  if (!isKnown || !cluster.isAlive(keeperPid)) signal(live.pid, 'SIGINT')
  return false
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself.
  }
}

/** @returns {Promise<boolean>} false when somebody else was faster: with the files, or with the port. */
async function start() {
  const { folder, bin, isTemporary } = config
  const dataFolder = cluster.dataFolderOf(folder)
  const lastPort = cluster.readKeeperFile(folder).port
  port = lastPort && (await isPortFree(lastPort)) ? lastPort : await findFreePort()
  const logFile = path.join(folder, 'postgres.log')
  const log = await openLog(logFile)
  const logStart = statSync(logFile).size
  postgres = spawn(path.join(bin, 'postgres'), ['-D', dataFolder, '-p', String(port), ...flags(isTemporary)], {
    cwd: folder,
    env: cluster.postgresEnvironment,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = new Promise((resolve) => postgres.once('close', resolve).once('error', resolve))
  let hasEnded = false
  ended.then(() => (hasEnded = true))

  const deadline = Date.now() + START_MS
  let isRecorded = false
  while (!hasEnded && Date.now() < deadline) {
    const live = await cluster.findPostmaster(dataFolder)
    if (live?.pid === postgres.pid) {
      if (!isRecorded) await record()
      isRecorded = true
      if (live.isReady) {
        await announce({ isGuest: false, port })
        ended.then(() => isStopping || fail(`Postgres ended by itself: see ${logFile}.`))
        return true
      }
    }
    await sleep(10)
  }
  if (isStopping) return true
  if (!hasEnded) return fail(`Postgres did not start within ${START_MS / 1000} s: see ${logFile}.`)
  const words = (await readFile(logFile, 'utf8')).slice(logStart)
  if (/lock file .* already exists|is already in use|Address already in use/.test(words)) return false
  return fail(`Postgres did not start:\n${words.trim()}`)
}

function flags(isTemporary) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  // A test run's database may be lost with the machine.
  if (isTemporary) Object.assign(settings, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function openLog(file) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.old`)
  return openSync(file, 'a', 0o600)
}

function fail(message) {
  say({ event: 'failed', message })
  process.exitCode = 1
  void stop()
}

async function stop() {
  if (isStopping) return
  isStopping = true
  // While the files are being created there is nothing to stop yet: keep() sees the flag and ends.
  if (!postgres || postgres.exitCode !== null || postgres.signalCode !== null) {
    if (postgres) process.exit()
    return
  }
  const ended = new Promise((resolve) => postgres.once('close', resolve))
  postgres.kill('SIGINT')
  const timer = setTimeout(() => postgres.kill('SIGQUIT'), FAST_STOP_MS)
  await ended
  clearTimeout(timer)
  if (config.isTemporary) await rm(cluster.dataFolderOf(config.folder), { recursive: true, force: true })
  process.exit()
}
