// Starts a connection pooler in transaction mode in front of a Postgres, for tests. By default the pooler is pgbouncer
// if it is installed (on Debian with `apt install pgbouncer`), and otherwise our stand-in, which restricts clients in
// the same way.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/ports.mjs'
import { startStandInPooler } from './start-stand-in-pooler.mjs'

/** @typedef {{ kind: 'pgbouncer' | 'stand-in', databaseUrl: string, stop: () => Promise<void> }} Pooler */

const START_MS = 10_000

/** Debian installs pgbouncer in a folder that is not on the PATH of ordinary users. */
const PATHS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** Returns whether pgbouncer is installed on this machine. */
function hasPgBouncer() {
  return spawnSync('pgbouncer', ['--version'], { env: { ...process.env, PATH: PATHS } }).status === 0
}

/**
 * @param {string} serverUrl a URL of the Postgres server. The pooler serves all its databases.
 * @param {'pgbouncer' | 'stand-in'} [kind] by default pgbouncer, if it is installed
 * @returns {Promise<Pooler>} `databaseUrl` is the same URL, but through the pooler
 */
export async function startPooler(serverUrl, kind = hasPgBouncer() ? 'pgbouncer' : 'stand-in') {
  process.stderr.write(`The pooler of these tests is ${kind === 'pgbouncer' ? 'pgbouncer' : 'our stand-in'}.\n`)
  const { port, stop } = kind === 'pgbouncer' ? await startPgBouncer(serverUrl) : await startStandInPooler(serverUrl)
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { kind, databaseUrl: url.href, stop }
}

/** @param {string} serverUrl */
async function startPgBouncer(serverUrl) {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const port = await findFreePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-pooler-'))
  const [users, config] = [path.join(folder, 'users.txt'), path.join(folder, 'pgbouncer.ini')]
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: 20,
    max_client_conn: 1_000,
    // Each test file has a database of its own. Idle connections to the databases of earlier files would otherwise fill
    // Postgres within a few minutes.
    server_idle_timeout: 5,
    // With this setting, a client gets a different Postgres connection as often as possible.
    server_round_robin: 1,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const target = `* = host=${hostname} port=${serverPort}`
  writeFileSync(config, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'))
  // pgbouncer refuses to run as root, so root starts it as the user `nobody`, who has to be able to read the files.
  chmodSync(folder, 0o755)
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', config] : [config]
  const child = spawn('pgbouncer', ['-q', ...args], { env: { ...process.env, PATH: PATHS }, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + START_MS
  while (!(await accepts(port))) {
    if (child.exitCode === null && Date.now() < deadline) {
      await sleep(20)
      continue
    }
    await stop()
    throw new Error('pgbouncer did not start')
  }
  return { port, stop }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })
}
