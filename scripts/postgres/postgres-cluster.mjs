// Creates the files of an embedded Postgres, and finds the Postgres that runs on them.
//   <folder>/data              the cluster and its password, which one rename makes visible together
//   <folder>/keeper.json       the processes and the port of the running Postgres
//   <folder>/postgres.log      the log of Postgres
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../../lib/kernel/caught-error.mjs'
import { isAlive } from '../is-alive.mjs'

/**
 * @typedef {{ keeperPid?: number, ownerPid?: number, postmasterPid?: number, port?: number, isLeaving?: boolean }}
 *   KeeperFile `ownerPid`: the server for which the keeper started this Postgres. `isLeaving`: that server is about to
 *   stop.
 */

export const ROLE = 'lastcall'
const PASSWORD_FILE = 'lastcall-password'

/**
 * The whole environment of Postgres. It inherits only PATH, because PGDATA, PGPORT, LD_LIBRARY_PATH and others would
 * change what Postgres does. NODE_ENV is here only because the type requires it.
 * @type {NodeJS.ProcessEnv}
 */
export const postgresEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', NODE_ENV: 'production' }

/** @param {string} folder */
export const dataFolderOf = (folder) => path.join(folder, 'data')

/**
 * @param {string} folder
 * @returns {Promise<string>} the password of the role `lastcall`
 */
export const readPassword = (folder) => readFile(path.join(dataFolderOf(folder), PASSWORD_FILE), 'utf8')

/**
 * Creates the cluster unless it exists. The cluster is made in a draft folder, which is then renamed. An interrupted
 * start therefore leaves no incomplete cluster, and of two simultaneous starts only the draft of the faster one becomes
 * the cluster.
 * @param {{ folder: string, bin: string, isTemporary: boolean }} options
 */
export async function createClusterIfMissing({ folder, bin, isTemporary }) {
  await removeLeftovers(folder)
  const dataFolder = dataFolderOf(folder)
  if (existsSync(path.join(dataFolder, 'PG_VERSION'))) return
  const password = randomBytes(24).toString('base64url')
  const draft = path.join(folder, `draft-${process.pid}`)
  await mkdir(draft, { mode: 0o700 })
  try {
    // The superuser's password is not kept, because the application must not be a superuser.
    const passwordFile = path.join(folder, `draft-${process.pid}-password`)
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    const flags = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8']
    // Text sorts in the same order on every machine, whatever its C library.
    flags.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
    if (isTemporary) flags.push('--no-sync')
    await run(path.join(bin, 'initdb'), [`--pgdata=${draft}`, ...flags]).finally(() => rm(passwordFile))
    const statements = [
      `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
      `CREATE DATABASE ${ROLE} OWNER ${ROLE}`,
    ]
    const single = ['--single', '-D', draft, '-c', 'log_min_messages=error', 'postgres']
    await run(path.join(bin, 'postgres'), single, `${statements.join('\n')}\n`)
    await writeFile(path.join(draft, PASSWORD_FILE), password, { mode: 0o600 })
    await rename(draft, dataFolder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // If the folder exists, another start was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  }
}

/**
 * Removes the drafts of starts that were killed.
 * @param {string} folder
 */
async function removeLeftovers(folder) {
  for (const name of await readdir(folder)) {
    const pid = /^draft-(\d+)/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} [input]
 * @returns {Promise<void>}
 */
function run(program, args, input = '') {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env: postgresEnvironment }, (error, stdout, stderr) => {
      if (!error) return resolve()
      reject(new Error(`${path.basename(program)} failed: ${(stderr || stdout || error.message).trim()}`))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** @typedef {{ pid: number, port: number, isReady: boolean, isOurs: boolean }} Postmaster */

/**
 * Finds the Postgres that runs on these files. A lock file that a power cut left behind may contain a process id that
 * now belongs to another program. If the command line of the process can be read, it counts as Postgres only if that
 * line contains the folder.
 * @param {string} dataFolder
 * @returns {Promise<Postmaster | null>} null when no process runs; `isOurs` is false when the process of the lock file
 *   is another program
 */
export async function findPostmaster(dataFolder) {
  const lines = await readLines(path.join(dataFolder, 'postmaster.pid'))
  const pid = Number(lines[0])
  if (!pid || !isAlive(pid)) return null
  const commandLine = await readCommandLine(pid)
  const isOurs = commandLine === null || commandLine.includes(dataFolder)
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready', isOurs }
}

/** @param {string} file */
async function readLines(file) {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n')
}

/**
 * @param {number} pid
 * @returns {Promise<string | null>} null when this machine does not reveal it, and empty when the
 *   process has ended on Linux
 */
function readCommandLine(pid) {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (error, stdout) => resolve(error ? null : stdout))
  })
}

/**
 * @param {string} folder
 * @returns {KeeperFile} an empty object when there is no such file
 */
export function readKeeperFile(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'keeper.json'), 'utf8'))
  } catch {
    return {}
  }
}

/**
 * @param {string} folder
 * @param {KeeperFile} content
 */
export async function writeKeeperFile(folder, content) {
  const draft = path.join(folder, `draft-${process.pid}-keeper`)
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 })
  await rename(draft, path.join(folder, 'keeper.json'))
}
