import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../lib/kernel/caught-error.mjs'
import { isAlive } from './is-alive.mjs'
import { root } from './run-command.mjs'

/**
 * Runs something in one process of this clone at a time; the others wait. A lock whose process has ended does not count.
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
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const owner = Number(readOwner(file))
  // An empty file is one that its owner is writing at this moment.
  if (owner && owner !== process.pid && isAlive(owner)) return false
  if (owner) rmSync(file, { force: true })
  return false
}

/** @param {string} file */
function readOwner(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
