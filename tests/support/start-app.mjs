// Starts the built application as a separate process, for tests that call it over HTTP. This file must not use
// import.meta, because Jest reads it as CommonJS.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/ports.mjs'
import { noteApp } from './note-app.mjs'

// The limit is long, because the start script first builds the application when the build is out of date.
const START_MS = 5 * 60_000
const OUTPUT_LIMIT = 200_000
// Only variables that a program needs to run are passed on, so that a developer's keys and the test runner's
// settings do not reach the application.
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'USER', 'NODE_EXTRA_CA_CERTS', 'npm_execpath']

/** TEST_SEED repeats the disturbances of an earlier run. */
const givenSeed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)

/**
 * @typedef {{
 *   url: string,
 *   pid: number,
 *   dataDir: string,
 *   databaseUrl: string,
 *   authSecret: string,
 *   cronSecret: string,
 *   seed: number | null,
 *   output: () => string,
 *   stop: () => Promise<void>,
 *   kill: () => Promise<void>,
 * }} App `stop` sends SIGTERM and removes the data folder if it is temporary. `kill` sends SIGKILL and keeps the
 *   data, so that another start can use `dataDir` until stop() is called.
 */

/**
 * Starts the application with `scripts/start.mjs` and waits until it is ready and healthy.
 * @param {{ port?: number, dataDir?: string, env?: Record<string, string>, seed?: number | null }} [options] Without
 *   `dataDir` the data is in a temporary folder, which stop() removes. To start a second server on the same database,
 *   pass the first server's DATABASE_URL, AUTH_SECRET and CRON_SECRET in `env`. With `seed`, the stand-in for Stripe
 *   sends its events as late, as often and in the order that the seed chooses; `null`, for benchmarks, sends each one
 *   immediately and only once.
 * @returns {Promise<App>}
 */
export async function startApp({ port, dataDir, env = {}, seed = givenSeed } = {}) {
  const actualPort = port ?? (await findFreePort())
  const folder = dataDir ?? mkdtempSync(path.join(tmpdir(), 'lastcall-app-'))
  const base = Object.fromEntries(
    PASSED_ON.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
  )
  /** @type {NodeJS.ProcessEnv} */
  const environment = {
    ...base,
    NODE_ENV: 'production',
    // This variable makes Next skip all .env files, because the settings of a developer must not reach a test.
    __NEXT_PROCESSED_ENV: 'true',
    LOG_LEVEL: 'warn',
    PORT: String(actualPort),
    DATA_DIR: folder,
    // Tests send a client address of their own with X-Forwarded-For, so that the limits per address do not stop them.
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
  let [hasEnded, mayEnd] = [false, false]
  const ended = new Promise((resolve) => child.once('close', resolve)).then((code) => {
    hasEnded = true
    // Without this message, a test would only report that the connection was refused.
    if (!mayEnd) console.error(`The application at port ${actualPort} ended by itself (code ${code}):\n${output}`)
  })
  const end = async (/** @type {NodeJS.Signals} */ signal) => {
    mayEnd = true
    if (!hasEnded) child.kill(signal)
    await ended
  }
  const clean = () => dataDir === undefined && rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

  const url = `http://localhost:${actualPort}`
  noteApp(url)
  const deadline = Date.now() + START_MS
  // The server responds a moment before its start has succeeded, because the start makes the first requests itself.
  while (!output.includes('Lastcall is ready at') || !(await answers(url))) {
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
  const cronSecret = env.CRON_SECRET ?? secrets.cronSecret
  if (seed !== null) await disturbEvents(url, cronSecret, seed)
  return {
    url,
    pid: Number(child.pid),
    dataDir: folder,
    databaseUrl: env.DATABASE_URL ?? read('database-url'),
    authSecret: env.AUTH_SECRET ?? secrets.authSecret,
    cronSecret,
    seed,
    output: () => output,
    stop: async () => {
      await end('SIGTERM')
      clean()
    },
    kill: () => end('SIGKILL'),
  }
}

/**
 * Gives the stand-in the seed for its events. An application with keys for Stripe has no stand-in and answers with 404.
 * @param {string} url
 * @param {string} cronSecret
 * @param {number} seed
 */
async function disturbEvents(url, cronSecret, seed) {
  const response = await fetch(`${url}/api/sandbox/stripe/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${cronSecret}` },
    body: JSON.stringify({ seed }),
  })
  await response.arrayBuffer()
  if (!response.ok && response.status !== 404) throw new Error(`The seed of the events was refused: ${response.status}`)
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
