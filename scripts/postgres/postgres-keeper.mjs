// This process, the keeper, starts Postgres, and stops it when the keeper's standard input closes. The kernel closes
// that pipe no matter how the server ends, even by kill -9, so no Postgres is left running. The keeper runs in a
// session of its own, so that Ctrl-C in the terminal does not reach it and the server can finish its requests first.
// The keeper reads orders and writes messages, each as one line of JSON.
import { spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import { copyFile, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../lib/kernel/caught-error.mjs'
import { isAlive } from '../is-alive.mjs'
import { findFreePort, isPortFree } from '../ports.mjs'
import * as cluster from './postgres-cluster.mjs'

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { KeeperFile, Postmaster } from './postgres-cluster.mjs'
 *
 * @typedef {{ order: 'start', folder: string, bin: string, ownerPid: number, isTemporary: boolean }} StartOrder
 * @typedef {StartOrder | { order: 'leave' }} KeeperOrder `leave` says that the server is about to stop
 *
 * @typedef {{ event: 'ready', password: string, port: number, isGuest: boolean }} ReadyMessage
 * @typedef {ReadyMessage | { event: 'waiting' } | { event: 'failed', message: string }} KeeperMessage
 */

/** How long to wait for an earlier server, which finishes its requests (25 s) before its database stops. */
const TAKEOVER_MS = 60_000
const START_MS = 180_000
const FAST_STOP_MS = 30_000
const LOG_LIMIT_BYTES = 10_000_000
const LOG_CHECK_MS = 3_600_000

let isStopping = false
/** @type {ChildProcess | null} */
let postgres = null
/** @type {StartOrder | undefined} */
let config
let port = 0

/** @param {KeeperMessage} message */
function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => obey(JSON.parse(line)))
lines.once('close', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
process.stdout.on('error', () => {})

/** @param {KeeperOrder} message */
function obey(message) {
  if (message.order === 'start') {
    config = message
    keep(message).catch((error) => fail(messageOf(error)))
  } else if (config && postgres) {
    void record(config, { isLeaving: true })
  }
}

/**
 * @param {StartOrder} options
 * @param {KeeperFile} [more]
 */
function record({ folder, ownerPid }, more) {
  return cluster.writeKeeperFile(folder, {
    keeperPid: process.pid,
    ownerPid,
    postmasterPid: postgres?.pid,
    port,
    ...more,
  })
}

/** @param {StartOrder} options */
async function keep(options) {
  const { folder } = options
  const dataFolder = cluster.dataFolderOf(folder)
  await cluster.createClusterIfMissing(options)
  let deadline = Date.now() + TAKEOVER_MS
  let hasReportedWaiting = false
  while (!isStopping) {
    const live = await cluster.findPostmaster(dataFolder)
    if (!live) {
      if (await start(options)) return
    } else if (!live.isOurs) {
      await rm(path.join(dataFolder, 'postmaster.pid'), { force: true })
    } else if (await canShare(folder, live)) {
      await announce(folder, { isGuest: true, port: live.port })
      // The server that started this Postgres may stop before ours. This keeper then starts a new Postgres, on the same
      // port if that port is free.
      while (!isStopping && isAlive(live.pid)) await sleep(500)
      deadline = Date.now() + TAKEOVER_MS
    } else if (Date.now() > deadline) {
      return fail(`Another Postgres (process ${live.pid}) still uses ${dataFolder}: stop it first.`)
    } else {
      if (!hasReportedWaiting) send({ event: 'waiting' })
      hasReportedWaiting = true
    }
    await sleep(50)
  }
  process.exit(0)
}

/**
 * @param {string} folder
 * @param {{ isGuest: boolean, port: number }} state
 */
async function announce(folder, state) {
  send({ event: 'ready', password: await cluster.readPassword(folder), ...state })
}

/**
 * Returns whether our server can use the Postgres of another live server. If that server has ended, and its keeper has
 * ended or is unknown, this function stops the Postgres.
 * @param {string} folder
 * @param {Postmaster} live
 */
async function canShare(folder, live) {
  const read = () => cluster.readKeeperFile(folder)
  // The other keeper writes its file just after Postgres takes its lock. If that is happening now, wait up to two
  // seconds.
  for (let tries = 0; tries < 40 && read().postmasterPid !== live.pid; tries++) await sleep(50)
  const { postmasterPid, keeperPid, ownerPid, isLeaving } = read()
  const isKnown = postmasterPid === live.pid
  if (isKnown && isAlive(ownerPid)) return live.isReady && !isLeaving
  if (!isKnown || !isAlive(keeperPid)) signal(live.pid, 'SIGINT')
  return false
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

/**
 * @param {StartOrder} options
 * @returns {Promise<boolean>} false when Postgres does not run. The caller then tries again, unless fail() has ended
 *   the keeper.
 */
async function start(options) {
  const { folder, bin, isTemporary } = options
  const dataFolder = cluster.dataFolderOf(folder)
  const lastPort = cluster.readKeeperFile(folder).port
  port = lastPort && (await isPortFree(lastPort)) ? lastPort : await findFreePort()
  const logFile = path.join(folder, 'postgres.log')
  await limitLog(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const logStart = statSync(logFile).size
  const child = spawn(path.join(bin, 'postgres'), ['-D', dataFolder, '-p', String(port), ...flags(isTemporary)], {
    cwd: folder,
    env: cluster.postgresEnvironment,
    stdio: ['ignore', log, log],
  })
  postgres = child
  closeSync(log)
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  let hasEnded = false
  void ended.then(() => (hasEnded = true))

  const deadline = Date.now() + START_MS
  let isRecorded = false
  while (!hasEnded && Date.now() < deadline) {
    const live = await cluster.findPostmaster(dataFolder)
    if (live && live.pid === child.pid) {
      if (!isRecorded) await record(options)
      isRecorded = true
      if (live.isReady) {
        await announce(folder, { isGuest: false, port })
        setInterval(() => void limitLog(logFile).catch(() => {}), LOG_CHECK_MS).unref()
        void ended.then(() => isStopping || fail(`Postgres ended by itself: see ${logFile}.`))
        return true
      }
    }
    await sleep(10)
  }
  if (isStopping) return true
  if (!hasEnded) {
    fail(`Postgres did not start within ${START_MS / 1000} s: see ${logFile}.`)
    return false
  }
  const words = (await readFile(logFile, 'utf8')).slice(logStart)
  if (/lock file .* already exists|is already in use|Address already in use/.test(words)) return false
  fail(`Postgres did not start:\n${words.trim()}`)
  return false
}

/** @param {boolean} isTemporary */
function flags(isTemporary) {
  /** @type {Record<string, string | number>} */
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The details of an error contain values of the row, such as the email address that is already in use.
    log_error_verbosity: 'terse',
  }
  // A test run may lose its database in a crash, so speed matters more than safety there.
  if (isTemporary) Object.assign(settings, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Moves the content of a log that has become too long into a second file, which replaces the earlier one. Postgres
 * keeps writing to the same open file, always at its end, so the file is emptied and not renamed.
 * @param {string} file
 */
async function limitLog(file) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LOG_LIMIT_BYTES) return
  await copyFile(file, `${file}.old`)
  await truncate(file)
}

/** @param {string} message */
function fail(message) {
  send({ event: 'failed', message })
  process.exitCode = 1
  void stop()
}

async function stop() {
  if (isStopping) return
  isStopping = true
  // While the files are still being created, or another keeper's Postgres is used, there is no Postgres to stop. keep()
  // sees the flag and ends the process.
  const child = postgres
  if (!child) return
  if (child.exitCode !== null || child.signalCode !== null) process.exit()
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS)
  await ended
  clearTimeout(timer)
  if (config?.isTemporary) await rm(cluster.dataFolderOf(config.folder), { recursive: true, force: true })
  process.exit()
}
