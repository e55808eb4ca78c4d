// npm run bench:money -- oversell|webhooks|kills [number] checks that the money adds up under load, over HTTP against
// the built application. The number is that of the runs, events or kills. Everything runs on loopback with a temporary
// data folder, and ends with this process.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { checkInvariants } from '../lib/operations/check-invariants.mjs'
import { startApp } from '../tests/support/start-app.mjs'
import { startLoad } from './processes.mjs'
import { killsUnderLoad } from './scenarios/kills-under-load.mjs'
import { oversell } from './scenarios/oversell.mjs'
import { makeDrop } from './scenarios/measure-purchases.mjs'
import { deliverAll, gatherEvents } from './scenarios/webhooks.mjs'
import { figure } from './format-table.mjs'

/**
 * @import { Stoppable } from './processes.mjs'
 *
 * @typedef {Awaited<ReturnType<typeof open>>} MoneyTools what a scenario works with
 */

const UNITS = 100
const ATTEMPTS = 10_000
const SOCKETS = 500
const EVENTS = 5_000
const ACKNOWLEDGED_WITHIN_MS = 500

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
/** @type {Record<string, (times?: number) => Promise<void>>} */
const scenarios = { oversell: runOversell, webhooks: runWebhooks, kills: runKills }
const [name = '', times] = process.argv.slice(2)
/** @type {Stoppable[]} */
const started = []
/** @type {Promise<void> | undefined} */
let stopping
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop().then(() => process.exit(130)))

try {
  const run = scenarios[name]
  if (!run) throw new Error(`Choose one of: ${Object.keys(scenarios).join(', ')}.`)
  await run(Number(times ?? 0) || undefined)
} catch (error) {
  if (!stopping) console.error(error)
  process.exitCode = 1
} finally {
  await stop()
}

/**
 * Starts this number of servers on one database, and a load generator.
 * @param {{ servers: number }} options
 */
async function open({ servers }) {
  const app = await startApp({ seed: null, env: { LOG_LEVEL: 'error' } })
  started.push(app)
  const { databaseUrl, authSecret, cronSecret } = app
  const shared = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, CRON_SECRET: cronSecret, LOG_LEVEL: 'error' }
  const apps = [app]
  for (let more = 1; more < servers; more += 1) {
    const second = await startApp({ seed: null, env: { ...shared, SEED_DEMO: '0' } })
    started.push(second)
    apps.push(second)
  }
  const load = startLoad()
  started.push(load)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  started.push({ stop: () => pool.end() })
  const urls = apps.map(({ url }) => `http://127.0.0.1:${new URL(url).port}`)
  const sweep = () =>
    fetch(`${urls[0]}/api/cron/archive`, { method: 'POST', headers: { authorization: `Bearer ${cronSecret}` } })
  return { app, load, pool, urls, sweep }
}

async function runOversell(runs = 20) {
  const tools = await open({ servers: 2 })
  for (let run = 1; run <= runs; run += 1) {
    const drop = await makeDrop(tools.pool, UNITS)
    const crowd = { attempts: ATTEMPTS, sockets: SOCKETS, units: UNITS, seed: run * 100_000 }
    const seen = await oversell(tools, drop, crowd)
    const { first, second, end } = seen
    console.log(
      `run ${run}: ${first.opened.length} of ${ATTEMPTS} got a checkout in ${figure(first.elapsedMs / 1000)} s ` +
        `(p50 ${figure(first.p50)} ms, p99 ${figure(first.p99)} ms), ${seen.afterFirst.held} expired, ` +
        `${second.opened.length} of them bought again; sold ${end.sold} of ${UNITS}, ${seen.orders} orders`,
    )
    if (!seen.isRight)
      throw new Error(
        `The numbers of units, orders or refusals are wrong: ${JSON.stringify({ ...seen, first: { ...first, opened: first.opened.length } })}`,
      )
    await expectSound(tools.pool)
  }
  console.log(
    `${runs} runs of ${ATTEMPTS} attempts from ${SOCKETS} sockets over two servers: no unit oversold or unsold.`,
  )
}

async function runWebhooks(events = EVENTS) {
  const tools = await open({ servers: 1 })
  const gathered = await gatherEvents(tools, events)
  const seen = await deliverAll(tools, gathered)
  console.log(
    `${seen.events} events of ${seen.orders} orders, ${seen.deliveries} deliveries, ${seen.twins} of them at the same ` +
      `moment as their twin: acknowledged in p50 ${figure(seen.p50)} ms, p99 ${figure(seen.p99)} ms, ` +
      `${figure(seen.most)} ms at most`,
  )
  console.log(
    `lost: ${seen.lost}, doubled: ${seen.doubled}, not handled: ${seen.unhandled}, responses: ${JSON.stringify(seen.statuses)}`,
  )
  await expectSound(tools.pool)
  if (seen.lost + seen.doubled + seen.unhandled > 0) throw new Error('Events were lost or acted on twice.')
  if (seen.p99 > ACKNOWLEDGED_WITHIN_MS)
    throw new Error(`The acknowledgment took longer than ${ACKNOWLEDGED_WITHIN_MS} ms.`)
}

async function runKills(kills = 50) {
  const load = startLoad()
  started.push(load)
  const seen = await killsUnderLoad({ load, started, kills, onKill: (text) => console.log(text) })
  console.log(
    `${kills} kills under paying load: ${seen.paid} orders paid, ${seen.lost} lost, ${seen.doubled} doubled; up again ` +
      `after ${figure(seen.upAfterMs / 1000)} s at most, converged ${figure(seen.convergedMs / 1000)} s after the restart at most`,
  )
  if (seen.lost + seen.doubled > 0) throw new Error('Payments were lost or acted on twice.')
  if (seen.convergedMs > 60_000)
    throw new Error('The servers needed more than 60 s to settle every payment after a restart.')
}

/** @param {pg.Pool} pool */
async function expectSound(pool) {
  const broken = (await checkInvariants(pool)).filter(({ breaches }) => breaches.length > 0)
  if (broken.length > 0) throw new Error(JSON.stringify(broken))
}

/** Stops everything in reverse order, so that the pool ends before the database that it is connected to. */
function stop() {
  stopping ??= (async () => {
    for (const one of started.reverse()) await one.stop().catch((error) => console.error(error))
  })()
  return stopping
}
