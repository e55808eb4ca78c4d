// The built application as a process of its own, for tests that talk to it over HTTP. This file may not use import.meta,
// because Jest reads it as CommonJS.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/ports.mjs'

// The start script first builds the application when the build is out of date, which takes longest.
const START_MS = 5 * 60_000
const OUTPUT_LIMIT = 200_000
// The part of the caller's environment that a program needs to run: no developer's keys, no settings of a test runner.
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'USER', 'NODE_EXTRA_CA_CERTS', 'npm_execpath']

/**
 * @typedef {{
 *   url: string,
 *   pid: number,
 *   dataDir: string,
 *   databaseUrl: string,
 *   authSecret: string,
 *   cronSecret: string,
 *   output: () => string,
 *   stop: () => Promise<void>,
 *   kill: () => Promise<void>,
 * }} App `stop`: as Ctrl-C does. `kill`: kill -9; the data stays for another start on `dataDir`, until stop().
 */

/**
 * Starts the application with `scripts/start.mjs` and waits until it answers.
 * @param {{ port?: number, dataDir?: string, env?: Record<string, string> }} [options] without `dataDir` a temporary one,
 *   removed by stop(). A second server on the same database: give `env` the first one's DATABASE_URL, AUTH_SECRET and
 *   CRON_SECRET.
 * @returns {Promise<App>}
 */
export async function startApp({ port, dataDir, env = {} } = {}) {
  const actualPort = port ?? (await findFreePort())
  const folder = dataDir ?? mkdtempSync(path.join(tmpdir(), 'lastcall-app-'))
  const base = Object.fromEntries(
    PASSED_ON.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
  )
  /** @type {NodeJS.ProcessEnv} */
  const environment = {
    ...base,
    NODE_ENV: 'production',
    // Says that .env files have been read: a developer's files must not reach a test.
    __NEXT_PROCESSED_ENV: 'true',
    LOG_LEVEL: 'warn',
    PORT: String(actualPort),
    DATA_DIR: folder,
    // Each test sends its own client address, so that the limits per address do not stop it.
    TRUSTED_PROXY_HOPS: '1',
    ...env,
  }
  const child = spawn(process.execPath, ['scripts/start.mjs', '--with-parent'], {
    cwd: process.cwd(),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (/** @type {string} */ text) => (output = (output + text).slice(-OUTPUT_LIMIT))
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  let hasEnded = false
  const ended = new Promise((resolve) => child.once('close', resolve)).then(() => (hasEnded = true))
  const end = async (/** @type {NodeJS.Signals} */ signal) => {
    if (!hasEnded) child.kill(signal)
    await ended
  }
  const clean = () => dataDir === undefined && rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

  const url = `http://localhost:${actualPort}`
  // check-answers.ts compares what comes from here with the document of the API.
  const shared = /** @type {{ lastcallTestApps?: Set<string> }} */ (globalThis)
  ;(shared.lastcallTestApps ??= new Set()).add(url)
  const deadline = Date.now() + START_MS
  while (!(await answers(url))) {
    if (hasEnded || Date.now() > deadline) {
      await end('SIGKILL')
      clean()
      throw new Error(`The application did not start:\n${output}`)
    }
    await sleep(50)
  }

  const read = (/** @type {string} */ name) =>
    existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8').trim() : ''
  const secrets = JSON.parse(read('secrets.json') || '{}')
  return {
    url,
    pid: Number(child.pid),
    dataDir: folder,
    databaseUrl: env.DATABASE_URL ?? read('database-url'),
    authSecret: env.AUTH_SECRET ?? secrets.authSecret,
    cronSecret: env.CRON_SECRET ?? secrets.cronSecret,
    output: () => output,
    stop: async () => {
      await end('SIGTERM')
      clean()
    },
    kill: () => end('SIGKILL'),
  }
}

/** @param {string} url */
async function answers(url) {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(10_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
