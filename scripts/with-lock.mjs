import { createHash } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../lib/kernel/caught-error.mjs'
import { isAlive } from './is-alive.mjs'
import { root } from './run-command.mjs'

/**
 * Runs a function under a lock. Other processes of the same user in this clone wait until the lock is free. A lock
 * whose process has ended does not count.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} run
 */
export async function withLock(name, run) {
  const id = createHash('sha256').update(`${root}\0${process.getuid?.()}`).digest('hex').slice(0, 16)
  const file = path.join(tmpdir(), `lastcall-${name}-${id}.lock`)
  let hasReportedWaiting = false
  while (!take(file)) {
    if (!hasReportedWaiting) console.log('… Waiting for another Lastcall command that is preparing this folder')
    hasReportedWaiting = true
    await sleep(200)
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await run()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

/**
 * @param {string} file
 * @returns {boolean} whether this process has the lock now
 */
function take(file) {
  // The lock file appears together with its content, because another process would mistake an empty lock file for an
  // abandoned one.
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid), { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(own, { force: true })
  }
  const owner = readOwner(file)
  if (owner === null || (owner > 0 && owner !== process.pid && isAlive(owner))) return false
  rmSync(file, { force: true })
  return false
}

/**
 * @param {string} file
 * @returns {number | null} the process that has the lock; 0 when the file contains no id; null when it was removed
 */
function readOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || 0
  } catch {
    return null
  }
}
