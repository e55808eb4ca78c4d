// Postgres refuses to run as root, so when this process is root, Postgres runs as another user. That user must reach
// the programs and the data even when the project is in a folder that only root may enter, such as /root.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../../lib/operations/refusal.mjs'

/**
 * @typedef {{ uid: number, gid: number }} User
 * @typedef {{ prefix: string[], options: Partial<User> }} Launch `prefix`: words to put before the command; `options`:
 *   options for child_process
 * @typedef {{ folder: string, bin: string, files: string[] }} Needs the folder that the program writes to, the folder
 *   of Postgres' programs, and files that must be readable
 */

const POSTGRES_USER = 'postgres'
const FALLBACK_USER = 'nobody'

/**
 * Finds out how to start a program that works on `folder`.
 * @param {Needs} needs
 * @returns {Launch}
 * @throws {Refusal} when no way works
 */
export function prepareLaunch({ folder, bin, files }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = statSync(folder)
  const uid = process.getuid?.()
  if (uid !== 0) {
    if (uid !== undefined && owner.uid !== uid) {
      throw new Refusal(`${folder} belongs to another user: start as that user, or set DATA_DIR to a folder of yours.`)
    }
    return { prefix: [], options: {} }
  }
  const user = owner.uid === 0 ? findUser() : { uid: owner.uid, gid: owner.gid }
  if (owner.uid === 0) changeOwner(folder, user)
  letThrough(path.dirname(folder), user)

  for (const launch of launches(user)) {
    if (canReach(launch, { folder, bin, files })) return launch
  }
  throw new Refusal(
    `Postgres may not run as root, and user ${user.uid} cannot reach ${folder} or ${bin}: ` +
      'move the project out of a folder that only root may enter, start as an ordinary user, or set DATABASE_URL.',
  )
}

/** @returns {User} */
function findUser() {
  const attempts = [
    () => userNamed(POSTGRES_USER),
    () => {
      const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
      execFileSync('useradd', ['--system', '--user-group', ...home, POSTGRES_USER], { stdio: 'ignore' })
      return userNamed(POSTGRES_USER)
    },
    () => userNamed(FALLBACK_USER),
  ]
  for (const attempt of attempts) {
    try {
      const user = attempt()
      if (user.uid > 0) return user
    } catch {
      // The next attempt may succeed.
    }
  }
  throw new Refusal(
    'Postgres may not run as root, and there is no other user: start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * @param {string} name
 * @returns {User}
 */
function userNamed(name) {
  const id = (/** @type {string} */ flag) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * @param {string} folder
 * @param {User} user
 */
function changeOwner(folder, { uid, gid }) {
  for (const name of readdirSync(folder)) chownSync(path.join(folder, name), uid, gid)
  chownSync(folder, uid, gid)
}

/**
 * Lets the user enter a folder that belongs to root and is closed to everyone else. The user cannot list the folder.
 * @param {string} folder
 * @param {User} user
 */
function letThrough(folder, { gid }) {
  const { uid, mode } = statSync(folder)
  if (uid !== 0 || (mode & 0o067) !== 0) return
  chownSync(folder, 0, gid)
  chmodSync(folder, (mode & 0o700) | 0o010)
}

/**
 * Returns the ways to start a program as a user, ordered from the fewest privileges to the most.
 * @param {User} user
 * @returns {Launch[]}
 */
function launches({ uid, gid }) {
  // The capability lets the user enter closed folders. no_setuid_fixup is needed because access(2), which Postgres
  // calls for its own programs, otherwise ignores the capabilities of an ordinary user.
  const withCapability = (/** @type {string} */ name) => ({
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${name}`,
      `--ambient-caps=+${name}`,
    ],
    options: {},
  })
  return [{ prefix: [], options: { uid, gid } }, withCapability('dac_read_search'), withCapability('dac_override')]
}

/**
 * Returns whether a program that is started in this way can run Postgres and read the files, by trying it.
 * @param {Launch} launch
 * @param {Needs} needs
 */
function canReach({ prefix, options }, { folder, bin, files }) {
  const script = 'cd "$1" && "$2/postgres" --version && "$2/initdb" --version && "$3" --version && shift 3 && cat "$@"'
  const [command = 'sh', ...words] = [...prefix, 'sh', '-c', script, 'sh', folder, bin, process.execPath, ...files]
  const { status } = spawnSync(command, words, { ...options, cwd: '/', stdio: 'ignore' })
  return status === 0
}
