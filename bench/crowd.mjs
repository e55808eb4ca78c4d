// npm run bench:crowd -- [phones] [servers] [kill] simulates a launch. Everyone opens one drop within a minute, 500
// buyers press Buy within five seconds, and the stand-in for Stripe accepts 25 calls of one kind per second. `kill`
// ends the second server with kill -9 while people buy. The exit code is 1 when the stock is not exact. Without `kill`
// it is also 1 when a request failed or a unit was not sold.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findFreePort } from '../scripts/ports.mjs'
import { startApp } from '../tests/support/start-app.mjs'
import { startStripe, stripeEnvironment } from '../tests/support/start-stripe.mjs'
import { figure, formatTable } from './format-table.mjs'
import { percentile } from './percentile.mjs'
import { memoryOf, startLoad } from './processes.mjs'
import { makeDrop, waitUntilPaid } from './scenarios/measure-purchases.mjs'
import { startSeeded } from './start-seeded.mjs'

/** @import { Stoppable } from './processes.mjs' */

const UNITS = 500
const SECONDS = 60
const STRIPE_CALLS_PER_SECOND = 25
const KILL_AFTER_MS = 36_000
const HEAD = ['kind', 'answered', 'p50 ms', 'p99 ms', 'max ms', 'errors']

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const [phones = '10000', servers = '1', kill] = process.argv.slice(2)
/** @type {Stoppable[]} */
const started = []
try {
  await launch(Number(phones), Number(servers), kill === 'kill')
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  for (const one of started.reverse()) await one.stop().catch(() => {})
}

/**
 * @param {number} crowd
 * @param {number} processes
 * @param {boolean} isKilled
 */
async function launch(crowd, processes, isKilled) {
  const stripePort = await findFreePort()
  const env = { LOG_LEVEL: 'error', ...stripeEnvironment(stripePort) }
  const app = await startSeeded(env, started)
  const { databaseUrl, authSecret, cronSecret } = app
  const shared = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret }
  const apps = [app]
  for (let more = 1; more < processes; more += 1) {
    const second = await startApp({ seed: null, env: { ...env, ...shared, SEED_DEMO: '0' } })
    started.push(second)
    apps.push(second)
  }
  const urls = apps.map(({ url }) => `http://127.0.0.1:${new URL(url).port}`)
  const callsPerSecond = STRIPE_CALLS_PER_SECOND
  const stripe = await startStripe({
    databaseUrl,
    appUrl: urls[0] ?? '',
    port: stripePort,
    callsPerSecond,
    isDurable: false,
  })
  started.push(stripe)
  const load = startLoad()
  started.push(load)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  started.push({ stop: () => pool.end() })
  const drop = await makeDrop(pool, UNITS)
  const memory = () => apps.map(({ pid }) => figure(memoryOf(pid).now)).join(' + ')
  const atStart = memory()

  const launched = load.ask({ kind: 'launch', urls, drop, phones: crowd, buyers: UNITS, seconds: SECONDS, seed: 1 })
  if (isKilled) {
    await sleep(KILL_AFTER_MS)
    await apps[1]?.kill()
  }
  const seen = await launched
  const waits = await waitUntilPaid(pool, seen.paid)
  const { rows } = await pool.query('SELECT "sold", "held" FROM "Drop" WHERE "id" = $1', [drop.id])
  const { refused } = await stripe.figures()

  console.log(`\n${crowd} phones in ${SECONDS} s, ${seen.streams} live streams, ${UNITS} buyers on ${UNITS} units,`)
  console.log(`${processes} server(s)${isKilled ? ', one killed in the middle' : ''}\n`)
  const errorsOf = (/** @type {Record<string, number>} */ errors) =>
    Object.entries(errors)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ') || '0'
  console.log(
    formatTable(
      HEAD,
      seen.rows.map(({ kind, count, p50, p99, most, errors }) => [
        kind,
        count,
        ...[p50, p99, most].map(figure),
        errorsOf(errors),
      ]),
    ),
  )
  console.log(
    `\nSold ${rows[0].sold}, held ${rows[0].held}; ${seen.paid.length} payments, ${waits.length} paid orders;`,
  )
  console.log(`payment to order p50 ${figure(percentile(waits, 0.5))} ms, p99 ${figure(percentile(waits, 0.99))} ms;`)
  console.log(
    `At most ${seen.furthest} buyers ahead; Stripe refused ${refused} calls. Memory, MB: ${atStart} → ${memory()}`,
  )
  const errors = seen.rows.reduce((sum, row) => sum + Object.values(row.errors).reduce((a, b) => a + b, 0), 0)
  if (rows[0].sold !== waits.length || rows[0].sold + rows[0].held > UNITS) throw new Error('The stock is not exact.')
  if (!isKilled && (errors > 0 || rows[0].sold !== UNITS)) throw new Error('Not everyone was served.')
}
