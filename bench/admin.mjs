// npm run bench:admin times lists, searches and figures of the admin panel over HTTP. It runs with a thousand users, a
// thousand drops and three thousand orders, and with a thousand times as many, each in a separate database.
// BENCH_ADMIN_SCALE=0.1 makes the large database a tenth of that size.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startApp } from '../tests/support/start-app.mjs'
import { fillDatabase, sizesToCompare } from './fill-database.mjs'
import { figure, formatTable } from './format-table.mjs'
import { logInAsAdmin } from './log-in-as-admin.mjs'
import { percentile } from './percentile.mjs'

/**
 * @import { App } from '../tests/support/start-app.mjs'
 * @import { Size } from './fill-database.mjs'
 */

const ROUNDS = 15
/**
 * The median of a call in the large database must be below LIMIT_MS. It must also be below twice the median in the
 * small database, or below UNNOTICED_MS.
 */
const LIMIT_MS = 150
const UNNOTICED_MS = 25

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const ADMIN = { email: 'bench@lastcall.example', password: 'bench-the-admin-panel' }

const columns = []
for (const size of sizesToCompare(Number(process.env.BENCH_ADMIN_SCALE ?? 1))) columns.push(await measure(size))

const [smallest = new Map(), largest = new Map()] = columns
const rows = [...smallest].map(([name, small]) => {
  const large = largest.get(name) ?? NaN
  const isGood = large < LIMIT_MS && (large < 2 * small || large < UNNOTICED_MS)
  return [name, figure(small), figure(large), `${figure(large / small)}×`, isGood ? 'holds' : 'MISSED']
})
console.log(formatTable(['call', 'p50 ms, 1,000', 'p50 ms, full', 'ratio', `< ${LIMIT_MS} ms and < 2×`], rows))
console.log(`Below ${UNNOTICED_MS} ms the ratio is noise and does not count.`)
if (rows.some((row) => row.at(-1) === 'MISSED')) process.exitCode = 1

/**
 * @param {Size} size
 * @returns {Promise<Map<string, number>>} the median of each call, in ms
 */
async function measure(size) {
  const startedMs = performance.now()
  const env = { SEED_DEMO: '0', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'error' }
  const app = await startApp({ seed: null, env })
  try {
    await fillDatabase({ databaseUrl: app.databaseUrl, ...size })
    console.log(`${JSON.stringify(size)} filled in ${figure((performance.now() - startedMs) / 1000)} s`)
    const cookie = await logInAsAdmin(app.url, ADMIN)
    /** @type {Map<string, number>} */
    const medians = new Map()
    for (const [name, call] of Object.entries(await calls(app))) {
      /** @type {number[]} */
      const times = []
      // The first round is not counted, because no cache holds anything yet.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const started = performance.now()
        const answer = await fetch(app.url + call, { headers: { cookie } })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`${call} returned status ${answer.status}`)
        if (round > 0) times.push(performance.now() - started)
      }
      medians.set(name, percentile(times, 0.5))
    }
    return medians
  } finally {
    await app.stop()
  }
}

/**
 * Lists the calls of an administrator that are measured. Their searches use rare, common and short words, and words
 * that no row contains.
 * @param {App} app
 * @returns {Promise<Record<string, string>>} the path of each call
 */
async function calls(app) {
  const client = new pg.Client(app.databaseUrl)
  await client.connect()
  /** @type {(text: string) => Promise<string>} */
  const one = async (text) => String(Object.values((await client.query(text)).rows[0])[0])
  const oldUser = await one('SELECT "username" FROM "User" WHERE "username" IS NOT NULL ORDER BY "id" OFFSET 5 LIMIT 1')
  const oldTitle = await one('SELECT "title" FROM "Drop" ORDER BY "id" OFFSET 5 LIMIT 1')
  const middleUser = await one('SELECT max("id") / 2 FROM "User"')
  const middleDrop = await one('SELECT max("id") / 2 FROM "Drop"')
  await client.end()
  const users = '/api/admin/users'
  const drops = '/api/admin/drops'
  return {
    stats: '/api/admin/stats',
    users,
    'users, a page in the middle': `${users}?cursor=${middleUser}`,
    'users, one name': `${users}?q=${oldUser}`,
    'users, a word of many': `${users}?q=example.com`,
    'users, a word of some': `${users}?q=abc`,
    'users, two letters': `${users}?q=zq`,
    'users, nowhere': `${users}?q=nobody-is-called-this`,
    'users, pro': `${users}?show=pro`,
    'users, free': `${users}?show=free`,
    'users, admins': `${users}?show=admin`,
    'users, suspended': `${users}?show=suspended`,
    'users, suspended with a word': `${users}?show=suspended&q=abc`,
    drops,
    'drops, a page in the middle': `${drops}?cursor=${middleDrop}`,
    'drops, one title': `${drops}?q=${encodeURIComponent(oldTitle)}`,
    'drops, a word of many': `${drops}?q=candle`,
    'drops, a word of some': `${drops}?q=abc`,
    'drops of one owner': `${drops}?q=${oldUser}`,
    'drops, nowhere': `${drops}?q=nothing-is-called-this`,
    'drops, digital': `${drops}?type=digital`,
    'drops, digital with a word': `${drops}?type=digital&q=vase`,
    'drops, active': `${drops}?show=active`,
    'drops, inactive': `${drops}?show=inactive`,
    'drops, featured': `${drops}?show=promoted`,
    'drops, in review': `${drops}?show=review`,
    'drops, deleted': `${drops}?show=removed`,
    'the panel itself': '/admin',
    orders: '/admin/orders',
    'orders of one buyer': '/admin/orders?q=buyer7@example.com',
    'orders, stuck': '/admin/orders?show=stuck',
    'orders, shipped': '/admin/orders?show=shipped',
    'orders, disputed': '/admin/orders?show=disputed',
    'webhook events': '/admin/events',
    'webhook events, orphaned': '/admin/events?show=orphaned',
    'audit log': '/admin/audit',
    'audit log of one thing': `/admin/audit?target=${middleUser}`,
    'review queue': '/admin/reviews',
  }
}
