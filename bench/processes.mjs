// Starts the helper processes of a benchmark, and reads from the kernel how much CPU time and memory a process has
// used.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @import { Jobs } from './load.mjs'
 *
 * @typedef {{ stop: () => Promise<unknown> }} Stoppable something that a benchmark starts, and stops at the end
 * @typedef {{ url: string, pid: number }} MeasuredServer
 *
 * @typedef {{
 *   pid: number,
 *   ask: <Answer>(message: object) => Promise<Answer>,
 *   stop: () => Promise<void>,
 * }} Helper `ask` sends one message and returns the reply. The next message must wait for that reply.
 *
 * @typedef {Omit<Helper, 'ask'> & {
 *   ask: <Kind extends keyof Jobs>(
 *     job: { kind: Kind } & Parameters<Jobs[Kind]>[0],
 *   ) => Promise<Awaited<ReturnType<Jobs[Kind]>>>,
 * }} LoadGenerator
 */

/** USER_HZ, the unit of /proc/<pid>/stat: 100 on every Linux that Node supports. */
const TICK_US = 10_000

/**
 * Starts a file of this folder as a process of its own, so that its work is not part of what is measured.
 * @param {string} file
 * @returns {Helper}
 */
export function startHelper(file) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  return {
    pid: Number(child.pid),
    ask: async (message) => {
      child.send(message)
      const [answer] = await Promise.race([
        once(child, 'message'),
        ended.then(() => {
          throw new Error(`${file} ended early`)
        }),
      ])
      if (answer.error) throw new Error(`${file}: ${answer.error}`)
      return answer
    },
    stop: async () => {
      // A helper ends when its channel closes, which also happens when this process dies.
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/**
 * Starts the load generator.
 * @returns {LoadGenerator}
 */
export function startLoad() {
  return startHelper('load.mjs')
}

/**
 * Returns the CPU time that a process and its ended children have used, in µs.
 * @param {number} pid
 * @returns {number} NaN on a system without /proc
 */
export function cpuOf(pid) {
  const fields = readStat(pid)
  return fields ? fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_US : NaN
}

/**
 * Returns the CPU time that a process and its children have used, in µs. Running children count, too, because Postgres
 * uses one process per connection.
 * @param {number | null} pid
 */
export function cpuOfTree(pid) {
  if (!pid) return NaN
  return listChildren(pid).reduce((sum, child) => sum + (cpuOf(child) || 0), cpuOf(pid))
}

/**
 * Returns the resident memory of a process in MB, now and at its highest.
 * @param {number} pid
 * @returns {{ now: number, peak: number }}
 */
export function memoryOf(pid) {
  const status = read(`/proc/${pid}/status`)
  const megabytes = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? NaN) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/**
 * Returns the process id of the embedded Postgres in a data folder, or null when there is none.
 * @param {string} dataDir
 * @returns {number | null}
 */
export function findPostgres(dataDir) {
  const folder = path.join(dataDir, 'postgres')
  try {
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
      (name) => path.basename(name) === 'postmaster.pid',
    )
    return file ? Number(read(path.join(folder, file)).split('\n', 1)[0]) : null
  } catch {
    return null
  }
}

/** @param {number} pid */
function listChildren(pid) {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readStat(name)?.[1] === String(pid))
      .map(Number)
  } catch {
    return []
  }
}

/**
 * Returns the fields of /proc/<pid>/stat, beginning with the state of the process. The name of the process before them
 * may contain spaces and brackets.
 * @param {number | string} pid
 */
function readStat(pid) {
  const text = read(`/proc/${pid}/stat`)
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : null
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
