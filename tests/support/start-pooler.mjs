// A connection pooler in transaction mode in front of a Postgres, for tests: pgbouncer where it is installed (Debian: apt
// install pgbouncer), else a stand-in of our own that refuses the same things.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/ports.mjs'
import { startStandInPooler } from './stand-in-pooler.mjs'

/** @typedef {{ kind: 'pgbouncer' | 'stand-in', databaseUrl: string, stop: () => Promise<void> }} Pooler */

const START_MS = 10_000

/** Debian installs pgbouncer in a folder that is not on the PATH of ordinary users. */
const PATHS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** Whether pgbouncer can be started here. */
function hasPgBouncer() {
  return spawnSync('pgbouncer', ['--version'], { env: { ...process.env, PATH: PATHS } }).status === 0
}

/**
 * @param {string} serverUrl an address of the Postgres; the pooler serves all its databases
 * @param {'pgbouncer' | 'stand-in'} [kind] by default pgbouncer, if it is installed
 * @returns {Promise<Pooler>} `databaseUrl`: the same address, through the pooler
 */
export async function startPooler(serverUrl, kind = hasPgBouncer() ? 'pgbouncer' : 'stand-in') {
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
    // Gives clients another connection of Postgres as often as possible.
    server_round_robin: 1,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const target = `* = host=${hostname} port=${serverPort}`
  writeFileSync(config, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'))
  // pgbouncer refuses to run as root, and the user that it runs as instead has to read the files.
  chmodSync(folder, 0o755)
  const words = process.getuid?.() === 0 ? ['-u', 'nobody', config] : [config]
  const child = spawn('pgbouncer', ['-q', ...words], { env: { ...process.env, PATH: PATHS }, stdio: 'ignore' })
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
