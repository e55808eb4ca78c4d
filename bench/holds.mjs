// npm run bench:holds [minutes] measures how many units of a drop one machine with 10,000 cookies and 1,000 IP addresses
// can hold. It also measures how 100 buyers behind one IP address fare. The calls go over HTTP to two servers of the built
// application on one database.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startApp } from '../tests/support/start-app.mjs'
import { answerWork } from './answer-work.mjs'
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

  const seen = await attack(pool, urls, await makeDrop(pool, UNITS))
  console.log(
    `${COOKIES} cookies from ${ADDRESSES} addresses for ${minutes} minutes: ${seen.asked} tries, ${seen.got} holds; ` +
      `at most ${seen.most} of ${UNITS} units held, above half for ${figure(seen.longest)} s at a time`,
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
 * Presses the buy button once. A proof of work that the server requires is solved and sent with the next call, in at most
 * TRIES calls. Without `canWork`, nothing is solved.
 * @param {Buyer} buyer
 * @returns {Promise<boolean>} whether the buyer has a hold now
 */
async function buy({ url, drop, address, cookie = '', canWork = true }) {
  let work
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
    if (answer.ok) return true
    if (!body.work || !canWork) return false
    work = answerWork(body.work)
  }
  return false
}

/**
 * Lets 100 buyers press the button at the same moment.
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
      const hasHold = await buy({ url: urls[at % urls.length] ?? '', drop, address: addressOf(at) })
      times.push(performance.now() - from)
      return hasHold
    }),
  )
  return { got: outcomes.filter(Boolean).length, p95: percentile(times, 0.95) }
}

/**
 * Requests holds with many cookies, again and again, as fast as this machine solves the proofs of work. Meanwhile it notes
 * how many units are held, and for how long more than half of the unsold units are.
 * @param {pg.Pool} pool
 * @param {string[]} urls
 * @param {BenchDrop} drop
 */
async function attack(pool, urls, drop) {
  const until = Date.now() + minutes * 60_000
  const seen = { asked: 0, got: 0, most: 0, longest: 0 }
  let next = 0
  const socket = async () => {
    while (Date.now() < until) {
      const at = next++
      const address = `198.18.${(at % ADDRESSES) >> 8}.${(at % ADDRESSES) & 255}`
      // The application accepts only cookies of 43 letters and digits.
      const cookie = `lastcall-buyer=${String(at % COOKIES).padStart(43, '0')}`
      seen.asked += 1
      if (await buy({ url: urls[at % urls.length] ?? '', drop, address, cookie }).catch(() => false)) seen.got += 1
    }
  }
  const watch = async () => {
    let aboveSince = 0
    while (Date.now() < until) {
      const { rows } = await pool.query('SELECT "held", "quantity" - "sold" AS "unsold" FROM "Drop" WHERE "id" = $1', [
        drop.id,
      ])
      const { held, unsold } = rows[0]
      seen.most = Math.max(seen.most, held)
      if (held * 2 <= unsold) aboveSince = 0
      else {
        aboveSince ||= Date.now()
        seen.longest = Math.max(seen.longest, (Date.now() - aboveSince) / 1000)
      }
      await sleep(250)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: SOCKETS }, socket)])
  return seen
}

/** Stops everything in reverse order, so that the pool ends before the database that it is connected to. */
async function stop() {
  for (const one of started.reverse()) await one.stop().catch((error) => console.error(error))
}
