// npm run bench:holds [minutes] measures how many units of a drop one machine with 10,000 cookies and 1,000 IP
// addresses can hold. It also measures how 100 buyers behind one IP address fare. The calls go over HTTP to two servers
// of the built application on one database.
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startApp } from '../tests/support/start-app.mjs'
import { figure } from './format-table.mjs'
import { percentile } from './percentile.mjs'
import { makeDrop } from './scenarios/measure-purchases.mjs'

/**
 * @import { BenchDrop } from './load.mjs'
 * @import { Stoppable } from './processes.mjs'
 *
 * @typedef {{ url: string, drop: BenchDrop, address: string, cookie?: string, canWork?: boolean }} Buyer
 */

const UNITS = 200
const SCHOOL_UNITS = 500
const COOKIES = 10_000
const ADDRESSES = 1_000
const SOCKETS = 32
const MAX_SECONDS_ABOVE_HALF = 60
const MAX_EXTRA_MS = 300
const TRIES = 5

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const minutes = Number(process.argv[2] ?? 10)
/** @type {Stoppable[]} */
const started = []
/** @type {Map<number, (solved: { answer: string, ms: number }) => void>} */
const unsolved = new Map()
const solver = new Worker(new URL('./solve-work.mjs', import.meta.url))
solver.on('message', ({ id, ...solved }) => {
  unsolved.get(id)?.(solved)
  unsolved.delete(id)
})
started.push({ stop: () => solver.terminate() })
let lastTask = 0
process.on('SIGINT', () => void stop().then(() => process.exit(130)))
try {
  await bench()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await stop()
}

async function bench() {
  const app = await startApp({ seed: null, env: { LOG_LEVEL: 'error' } })
  started.push(app)
  const { databaseUrl, authSecret, cronSecret } = app
  const shared = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret, LOG_LEVEL: 'error' }
  const second = await startApp({ seed: null, env: { ...shared, SEED_DEMO: '0' } })
  started.push(second)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  started.push({ stop: () => pool.end() })
  const urls = [app, second].map(({ url }) => `http://127.0.0.1:${new URL(url).port}`)

  const apart = await rush(urls, await makeDrop(pool, SCHOOL_UNITS), (at) => `203.0.113.${at}`)
  const school = await rush(urls, await makeDrop(pool, SCHOOL_UNITS), () => '198.51.100.1')
  console.log(`100 buyers, each at their own address: ${apart.got} got a hold, p95 ${figure(apart.p95)} ms`)
  console.log(`100 buyers behind one address: ${school.got} got a hold, p95 ${figure(school.p95)} ms`)

  const seen = await attack(databaseUrl, urls, await makeDrop(pool, UNITS))
  console.log(
    `${COOKIES} cookies from ${ADDRESSES} addresses for ${minutes} minutes: ${seen.asked} tries, ${seen.got} holds; ` +
      `at most ${seen.most} of ${UNITS} units held, above half for ${figure(seen.longest)} s at a time, in ${seen.samples} samples`,
  )
  const missed = [
    apart.got === 100 ? '' : 'Not every buyer with their own address got a hold.',
    school.got === 100 ? '' : 'Not every buyer behind one address got a hold.',
    school.p95 <= apart.p95 + MAX_EXTRA_MS ? '' : `One address costs more than ${MAX_EXTRA_MS} ms extra.`,
    seen.longest <= MAX_SECONDS_ABOVE_HALF ? '' : `More than half was held for over ${MAX_SECONDS_ABOVE_HALF} s.`,
  ].filter(Boolean)
  if (missed.length > 0) throw new Error(missed.join(' '))
}

/**
 * Solves a proof of work in the other thread.
 * @param {string} token
 * @returns {Promise<{ answer: string, ms: number }>} the answer, and how long the work itself took
 */
function solve(token) {
  const id = (lastTask += 1)
  return new Promise((resolve) => {
    unsolved.set(id, resolve)
    solver.postMessage({ id, token })
  })
}

/**
 * Presses the buy button once. A proof of work that the server requires is solved and sent with the next call, in at
 * most TRIES calls. Without `canWork`, nothing is solved.
 * @param {Buyer} buyer
 * @returns {Promise<{ hasHold: boolean, queuedMs: number }>} whether the buyer has a hold now, and how long the work
 *   waited for the work of others, which phones do on their own
 */
async function buy({ url, drop, address, cookie = '', canWork = true }) {
  let work
  let queuedMs = 0
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const answer = await fetch(`${url}/api/checkout/create-session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
      body: JSON.stringify({ dropId: drop.id, ...(work ? { work } : {}) }),
    })
    cookie ||= answer.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ')
    const body = /** @type {{ work?: string }} */ (await answer.json())
    if (answer.ok) return { hasHold: true, queuedMs }
    if (!body.work || !canWork) break
    const from = performance.now()
    const solved = await solve(body.work)
    queuedMs += performance.now() - from - solved.ms
    work = solved.answer
  }
  return { hasHold: false, queuedMs }
}

/**
 * Lets 100 buyers press the button at the same moment. Their phones compute proofs of work at the same time, so the
 * time for which one proof waits for another in this process is left out.
 * @param {string[]} urls
 * @param {BenchDrop} drop
 * @param {(at: number) => string} addressOf
 */
async function rush(urls, drop, addressOf) {
  /** @type {number[]} */
  const times = []
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const from = performance.now()
      const { hasHold, queuedMs } = await buy({ url: urls[at % urls.length] ?? '', drop, address: addressOf(at) })
      times.push(performance.now() - from - queuedMs)
      return hasHold
    }),
  )
  return { got: outcomes.filter(Boolean).length, p95: percentile(times, 0.95) }
}

/**
 * Requests holds with many cookies, again and again, as fast as this machine solves the proofs of work. Meanwhile it
 * notes how many units are held, and for how long more than half of the unsold units are.
 * @param {string} databaseUrl
 * @param {string[]} urls
 * @param {BenchDrop} drop
 */
async function attack(databaseUrl, urls, drop) {
  const until = Date.now() + minutes * 60_000
  const seen = { asked: 0, got: 0 }
  let next = 0
  const socket = async () => {
    while (Date.now() < until) {
      const at = next++
      const address = `198.18.${(at % ADDRESSES) >> 8}.${(at % ADDRESSES) & 255}`
      // The application accepts only cookies of 43 letters and digits.
      const cookie = `lastcall-buyer=${String(at % COOKIES).padStart(43, '0')}`
      seen.asked += 1
      const bought = await buy({ url: urls[at % urls.length] ?? '', drop, address, cookie }).catch(() => null)
      if (bought?.hasHold) seen.got += 1
    }
  }
  const watcher = new Worker(new URL('./watch-held-units.mjs', import.meta.url), {
    workerData: { databaseUrl, dropId: drop.id },
  })
  await Promise.all(Array.from({ length: SOCKETS }, socket))
  watcher.postMessage('stop')
  const [held] = await once(watcher, 'message')
  return { ...seen, .../** @type {{ most: number, longest: number, samples: number }} */ (held) }
}

/** Stops everything in reverse order, so that the pool ends before the database that it is connected to. */
async function stop() {
  for (const one of started.reverse()) await one.stop().catch((error) => console.error(error))
}
