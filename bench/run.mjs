// npm run bench: the application under load beside a reference server in the same run, as ratios (docs/contract.md#commands). Everything
// listens on loopback only, uses a temporary data folder, and ends with this process.
import { loadavg } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startApp } from '../tests/support/app-server.mjs'
import { findPostgres, memoryOf, startHelper } from './processes.mjs'
import { weighPage } from './scenarios/page-weight.mjs'
import { measurePurchases, race } from './scenarios/purchases.mjs'
import { capture, measureReads, readScenarios } from './scenarios/reads.mjs'
import { figure, formatTable } from './table.mjs'

// Building and starting are not in it.
const LIMIT_MS = 170_000
const PAGE = '/drop/low-sun'
const POLL = '/api/drop/low-sun'
const HEAD =
  'scenario|per s|p50 ms|p99 ms|CPU µs|pg µs|errors|gen|ref per s|ref p99|ref CPU|ref gen|rate ratio|CPU ratio'.split(
    '|',
  )
const WEIGHT_HEAD = ['page', 'JS gzip KB', 'scripts', 'CSS gzip KB', 'HTML KB', 'HTML gzip KB', 'requests']

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const started = []
let stopping
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop().then(() => process.exit(130)))

try {
  await bench()
} catch (error) {
  if (!stopping) console.error(error)
  process.exitCode = 1
} finally {
  await stop()
}

async function bench() {
  const startLoad = loadavg()[0]
  // Behind one proxy, as in earnest: every buyer of the crowd has an address of their own, which the generator writes.
  const server = await startApp({ env: { TRUSTED_PROXY_HOPS: '1', LOG_LEVEL: 'error' } })
  started.push(server)
  const limit = setTimeout(() => {
    console.error(`Stopped: it took longer than ${LIMIT_MS / 1000} s.`)
    void stop().then(() => process.exit(1))
  }, LIMIT_MS)
  limit.unref()

  // 127.0.0.1 for both: no look-up of a name, no choice of address family in the figures.
  const app = { url: `http://127.0.0.1:${new URL(server.url).port}`, pid: server.pid }
  const atStart = memoryOf(app.pid)
  const pages = [await capture(app.url, PAGE), await capture(app.url, POLL)]
  const helper = startHelper('reference-server.mjs')
  started.push(helper)
  const { port } = await helper.ask({ pages, databaseUrl: server.databaseUrl })
  const load = startHelper('load.mjs')
  started.push(load)
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2 })
  pool.on('error', () => {})
  started.push({ stop: () => pool.end() })
  const tools = {
    load,
    app,
    pool,
    reference: { url: `http://127.0.0.1:${port}`, pid: helper.pid },
    postgresPid: findPostgres(server.dataDir),
  }

  const rows = []
  for (const scenario of readScenarios(PAGE, POLL, pages[1].headers.etag)) {
    rows.push(row(scenario.name, await measureReads(scenario, tools)))
  }
  const afterReads = memoryOf(app.pid)
  const purchases = await measurePurchases(tools)
  rows.push(row('Purchase on a hot drop, settled', purchases))
  const rush = await race(tools)
  const weights = [await weighPage(app.url, '/'), await weighPage(app.url, PAGE)]
  clearTimeout(limit)

  console.log(`\nLastcall bench: Node ${process.version}, 64 connections, closed loop, load from the same machine`)
  console.log(`(load average ${figure(startLoad)} before; other work on it moves the figures, the ratios less)\n`)
  console.log(formatTable(HEAD, rows))
  console.log(
    '\nratio: application / reference. Reference: plain node:http, the same bytes from memory; for purchases one',
  )
  console.log(
    'SQL statement per step. gen: share of a core the generator used; near 100 % the rate is its limit: read CPU.',
  )
  console.log(`\nPurchases: ${purchases.answered} buyers answered, ${purchases.paid} orders paid in the end;`)
  console.log(`p99 from hold to paid order, by the database: ${figure(purchases.settleP99)} ms`)
  console.log(
    `Race, ${rush.buyers} buyers on ${rush.units}: ${rush.orders} orders, ${rush.refused} refused, ${rush.failed} failed;` +
      ` all answered in ${rush.answeredMs} ms, all settled in ${figure(rush.settledMs)} ms\n`,
  )
  console.log(formatTable(WEIGHT_HEAD, weights.map(weightRow)))
  console.log(
    `\nMemory of the server, MB: ${figure(atStart.now)} at start, ${figure(afterReads.now)} after the reads, ` +
      `${figure(memoryOf(app.pid).now)} at the end, ${figure(memoryOf(app.pid).peak)} at most`,
  )
  // What must hold however slow the machine is.
  if (rush.orders !== rush.units || rush.failed > 0) throw new Error('The race did not end as it must.')
}

function row(name, { app, reference }) {
  const percent = (share) => `${Math.round(share * 100)} %`
  return [
    name,
    ...[app.perSecond, app.p50, app.p99, app.cpuUs, app.postgresUs].map(figure),
    app.errors + reference.errors,
    percent(app.generatorBusy),
    ...[reference.perSecond, reference.p99, reference.cpuUs].map(figure),
    percent(reference.generatorBusy),
    `${figure(app.perSecond / reference.perSecond)}×`,
    Number.isFinite(app.cpuUs / reference.cpuUs) ? `${figure(app.cpuUs / reference.cpuUs)}×` : '–',
  ]
}

function weightRow(weight) {
  const kilobytes = (bytes) => figure(bytes / 1024)
  const { path: page, scriptBytes, scripts, styleBytes, htmlBytes, htmlGzipBytes, requests } = weight
  return [page, kilobytes(scriptBytes), scripts, ...[styleBytes, htmlBytes, htmlGzipBytes].map(kilobytes), requests]
}

/** In the order against starting: the pool before the database it is connected to. */
function stop() {
  stopping ??= (async () => {
    for (const one of started.reverse()) await one.stop().catch((error) => console.error(error))
  })()
  return stopping
}
