// Postgres refuses to run as root, so root hands it to another user; and that user must reach the binaries and the data
// even when the project lies in a folder that only root may enter (/root, mktemp -d).
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from './output.mjs'

const FALLBACK_USERS = ['postgres', 'nobody']

/**
 * How to start a program that works on `folder`.
 * @param {{ folder: string, bin: string, files: string[] }} what `files` must be readable too
 * @returns {{ prefix: string[], options: { uid?: number, gid?: number } }} words to put before the command, and options
 *   for child_process
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
  if (owner.uid === 0) give(folder, user)

  for (const launch of launches(user)) {
    if (canReach(launch, { folder, bin, files })) return launch
  }
  throw new Refusal(
    `Postgres may not run as root, and user ${user.uid} cannot reach ${folder} or ${bin}: ` +
      'move the project out of a folder that only root may enter, start as an ordinary user, or set DATABASE_URL.',
  )
}

function findUser() {
  const ids = (name) =>
    ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })))
  const [wanted] = FALLBACK_USERS
  const attempts = [
    () => ids(wanted),
    () => {
      const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
      execFileSync('useradd', ['--system', '--user-group', ...home, wanted], { stdio: 'ignore' })
      return ids(wanted)
    },
    () => ids(FALLBACK_USERS[1]),
  ]
  for (const attempt of attempts) {
    try {
      const [uid, gid] = attempt()
      if (uid > 0) return { uid, gid }
    } catch {
      // Try the next one.
    }
  }
  throw new Refusal(
    'Postgres may not run as root, and there is no other user: start as an ordinary user, or set DATABASE_URL.',
  )
}

function give(folder, { uid, gid }) {
  for (const name of readdirSync(folder)) chownSync(path.join(folder, name), uid, gid)
  chownSync(folder, uid, gid)
}

/** From the least privilege to the most. */
function launches({ uid, gid }) {
  // The capability lets that user pass through closed folders. no_setuid_fixup: access(2), which Postgres asks about its
  // own binaries, forgets the capabilities of an ordinary user otherwise.
  const withCapability = (name) => ({
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

function canReach({ prefix, options }, { folder, bin, files }) {
  const script = 'cd "$1" && "$2/postgres" --version && "$2/initdb" --version && "$3" --version && shift 3 && cat "$@"'
  const words = [...prefix, 'sh', '-c', script, 'sh', folder, bin, process.execPath, ...files]
  const { status } = spawnSync(words[0], words.slice(1), { ...options, cwd: '/', stdio: 'ignore' })
  return status === 0
}
