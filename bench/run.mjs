// npm run bench [-- buying] measures the application under load, and reference servers in the same run, so that the
// ratios can be compared between machines. Everything runs on loopback with a temporary data folder, and ends with this
// process. With `buying`, the reads are left out.
import { loadavg } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findFreePort } from '../scripts/ports.mjs'
import { startStripe, stripeEnvironment } from '../tests/support/start-stripe.mjs'
import { findPostgres, memoryOf, startHelper, startLoad } from './processes.mjs'
import { weighPage } from './scenarios/weigh-page.mjs'
import { measurePurchases, race } from './scenarios/measure-purchases.mjs'
import { capture, measureReads, readScenarios, SAME_FOR_EVERYONE } from './scenarios/measure-reads.mjs'
import { measureFirstRenderings, measureStories } from './scenarios/measure-first-renderings.mjs'
import { figure, formatTable } from './format-table.mjs'
import { startSeeded } from './start-seeded.mjs'

/**
 * @import { StripeProcess } from '../tests/support/start-stripe.mjs'
 * @import { LoadGenerator, MeasuredServer, Stoppable } from './processes.mjs'
 *
 * @typedef {{
 *   load: LoadGenerator,
 *   app: MeasuredServer,
 *   reference: MeasuredServer,
 *   nextReference: MeasuredServer,
 *   stripe: StripeProcess,
 *   pool: pg.Pool,
 *   databaseUrl: string,
 *   postgresPid: number | null,
 * }} BenchTools what a scenario works with
 *
 * @typedef {{
 *   perSecond: number, p50: number, p99: number, cpuUs?: number, postgresUs?: number, errors: number, generatorBusy: number,
 * }} Measured a figure that was not measured is missing
 */

/**
 * Checkouts are opened at Stripe without a limit, because this bench measures the application alone.
 * `npm run bench:crowd` measures with a limit.
 */
const UNPACED = { STRIPE_SESSIONS_PER_SECOND: '0' }
/** How long the bench may take once the application is up. */
const LIMIT_MS = 280_000
const PAGE = '/drop/low-sun'
const POLL = '/api/drop/low-sun'
const HEAD =
  'scenario|per s|p50 ms|p99 ms|CPU µs|pg µs|errors|gen|ref per s|ref p99|ref CPU|ref gen|rate ratio|CPU ratio'.split(
    '|',
  )
const BUY_HEAD =
  'scenario|per s|p50 ms|p99 ms|CPU ms|pg CPU ms|Stripe CPU ms|errors|beside Node|beside Next|Next CPU'.split('|')
const WEIGHT_HEAD = ['page', 'JS gzip KB', 'scripts', 'CSS gzip KB', 'HTML KB', 'HTML gzip KB', 'requests']

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
/** @type {Stoppable[]} */
const started = []
/** @type {Promise<void> | undefined} */
let stopping
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop().then(() => process.exit(130)))

/** What the columns of the first table mean. */
const COLUMNS = `
ratio: application / reference. Reference: plain node:http, the same bytes from memory; for purchases one SQL statement
per step. gen: how busy the generator was. Near 100 % it limits the rate, so compare the CPU time.`

try {
  await bench()
} catch (error) {
  if (!stopping) console.error(error)
  process.exitCode = 1
} finally {
  await stop()
}

async function bench() {
  const [loadBefore] = loadavg()
  const stripePort = await findFreePort()
  const env = {
    // The load generator gives every buyer a different address in X-Forwarded-For.
    TRUSTED_PROXY_HOPS: '1',
    LOG_LEVEL: 'error',
    ...stripeEnvironment(stripePort),
    ...UNPACED,
  }
  const server = await startSeeded(env, started)
  const limit = setTimeout(() => {
    console.error(`Stopped: it took longer than ${LIMIT_MS / 1000} s.`)
    void stop().then(() => process.exit(1))
  }, LIMIT_MS)
  limit.unref()

  // All servers are called at 127.0.0.1, so that no figure includes a DNS lookup or the choice between IPv4 and IPv6.
  const app = { url: `http://127.0.0.1:${new URL(server.url).port}`, pid: server.pid }
  const atStart = memoryOf(app.pid)
  const poll = await capture(app.url, POLL)
  const pages = [await capture(app.url, PAGE), poll]
  for (const { path: one, expect } of SAME_FOR_EVERYONE) pages.push(await capture(app.url, one, expect))
  const helper = startHelper('reference-server.mjs')
  started.push(helper)
  /** @type {{ port: number }} */
  const { port } = await helper.ask({ pages, databaseUrl: server.databaseUrl })
  const nextHelper = startHelper('next-reference-server.mjs')
  started.push(nextHelper)
  /** @type {{ port: number }} */
  const { port: nextPort } = await nextHelper.ask({ databaseUrl: server.databaseUrl })
  const stripe = await startStripe({
    databaseUrl: server.databaseUrl,
    appUrl: app.url,
    port: stripePort,
    isDurable: false,
  })
  started.push(stripe)
  const load = startLoad()
  started.push(load)
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2 })
  pool.on('error', () => {})
  started.push({ stop: () => pool.end() })
  /** @type {BenchTools} */
  const tools = {
    load,
    app,
    pool,
    databaseUrl: server.databaseUrl,
    reference: { url: `http://127.0.0.1:${port}`, pid: helper.pid },
    nextReference: { url: `http://127.0.0.1:${nextPort}`, pid: nextHelper.pid },
    stripe,
    postgresPid: findPostgres(server.dataDir),
  }

  const rows = []
  const reads = process.argv.includes('buying') ? [] : readScenarios(PAGE, POLL, poll.headers.etag)
  for (const scenario of reads) rows.push(row(scenario.name, await measureReads(scenario, tools)))
  const afterReads = memoryOf(app.pid)
  const purchases = await measurePurchases(tools)
  const rush = await race(tools)
  const weights = [await weighPage(app.url, '/'), await weighPage(app.url, PAGE)]
  const atEnd = memoryOf(app.pid)
  // These come last, because drawing takes memory that a process keeps.
  const rendered = await measureFirstRenderings(tools)
  const stories = await measureStories(tools)
  clearTimeout(limit)

  const memory = { atStart: atStart.now, afterReads: afterReads.now, atEnd: atEnd.now, peak: atEnd.peak }
  print({ loadBefore, rows, purchases, rush, weights, memory, rendered, stories })
  // The following must hold, however slow the machine is.
  if (rush.orders !== rush.units || rush.failed > 0)
    throw new Error('The race sold a wrong number of units, or requests failed.')
}

/**
 * @param {{
 *   loadBefore: number | undefined,
 *   rows: (string | number)[][],
 *   purchases: Awaited<ReturnType<typeof measurePurchases>>,
 *   rush: Awaited<ReturnType<typeof race>>,
 *   weights: Awaited<ReturnType<typeof weighPage>>[],
 *   memory: { atStart: number, afterReads: number, atEnd: number, peak: number },
 *   rendered: Awaited<ReturnType<typeof measureFirstRenderings>>,
 *   stories: Awaited<ReturnType<typeof measureStories>>,
 * }} measured
 */
function print({ loadBefore, rows, purchases, rush, weights, memory, rendered, stories }) {
  console.log(`\nLastcall bench: Node ${process.version}, 64 connections, closed loop, load from the same machine`)
  console.log(
    `(load average ${figure(loadBefore)} before; other work on this machine changes the figures, but the ratios less)\n`,
  )
  console.log(formatTable(HEAD, rows))
  console.log(COLUMNS)
  console.log('\nBuying, with the stand-in for Stripe in a process of its own, where a call takes 60 to 150 ms:\n')
  console.log(formatTable(BUY_HEAD, buyRows(purchases)))
  console.log(
    `\nOne hold, one buyer: ${figure(purchases.hold.besideStripeMs)} ms beside Stripe's own time. Payment to paid order, 64 buyers: ` +
      `p50 ${figure(purchases.waitP50)} ms, p99 ${figure(purchases.waitP99)} ms.`,
  )
  console.log(
    `Race, ${rush.buyers} buyers on ${rush.units}: ${rush.orders} orders, ${rush.refused} refused, ${rush.failed} failed;` +
      ` all answered in ${rush.answeredMs} ms, all settled in ${figure(rush.settledMs)} ms\n`,
  )
  console.log(formatTable(WEIGHT_HEAD, weights.map(weightRow)))
  console.log(
    `\nMemory of the server, MB: ${figure(memory.atStart)} at start, ${figure(memory.afterReads)} after the reads, ` +
      `${figure(memory.atEnd)} at the end, ${figure(memory.peak)} at most`,
  )
  console.log(
    `First rendering of a drop's page after a change: p50 ${figure(rendered.p50)} ms, p99 ${figure(rendered.p99)} ms, ` +
      `${figure(rendered.cpuMs)} ms of CPU`,
  )
  console.log(
    `Story picture: drawn in ${figure(stories.drawnMs)} ms with ${figure(stories.cpuMs)} ms of CPU, ` +
      `then read in ${figure(stories.storedMs)} ms. ${stories.atOnce} different ones at once: ${stories.drawnAtOnce} drawn, ` +
      `${stories.refusedAtOnce} answered with 503, at most ${figure(stories.addedMb)} MB more memory; ${stories.failed} failed`,
  )
}

/**
 * @param {string} name
 * @param {{ app: Measured, reference: Measured }} measured
 */
function row(name, { app, reference }) {
  const cpuRatio = (app.cpuUs ?? NaN) / (reference.cpuUs ?? NaN)
  const percent = (/** @type {number} */ fraction) => `${Math.round(fraction * 100)} %`
  return [
    name,
    ...[app.perSecond, app.p50, app.p99, app.cpuUs, app.postgresUs].map(figure),
    app.errors + reference.errors,
    percent(app.generatorBusy),
    ...[reference.perSecond, reference.p99, reference.cpuUs].map(figure),
    percent(reference.generatorBusy),
    `${figure(app.perSecond / reference.perSecond)}×`,
    Number.isFinite(cpuRatio) ? `${figure(cpuRatio)}×` : '–',
  ]
}

/** @param {Awaited<ReturnType<typeof measurePurchases>>} measured */
function buyRows({ hold, ours, plain, next, asking }) {
  const milliseconds = (/** @type {number} */ us) => figure(us / 1000)
  const line = (
    /** @type {string} */ name,
    /** @type {Omit<typeof plain, 'paid'>} */ one,
    /** @type {string[]} */ ...ratios
  ) => [
    name,
    ...[one.perSecond, one.p50, one.p99].map(figure),
    ...[one.cpuUs, one.postgresUs, one.stripeUs].map(milliseconds),
    one.errors,
    ...(ratios.length > 0 ? ratios : ['–', '–', '–']),
  ]
  const ratio = (/** @type {number} */ a, /** @type {number} */ b) => `${figure(a / b)}×`
  return [
    line('Hold, 64 buyers', hold),
    line(
      'Hold and settled purchase, one hot drop, 64 buyers',
      ours,
      ratio(ours.perSecond, plain.perSecond),
      ratio(ours.perSecond, next.perSecond),
      ratio(ours.cpuUs, next.cpuUs),
    ),
    line('Reference: plain node:http, one statement per step', plain),
    line('Reference: Next route handlers, one statement per step', next),
    line(
      'The same reference, calling Stripe as the application does',
      asking,
      `${figure(ours.perSecond / asking.perSecond)}× of it`,
      '–',
      ratio(ours.cpuUs, asking.cpuUs),
    ),
  ]
}

/** @param {Awaited<ReturnType<typeof weighPage>>} weight */
function weightRow(weight) {
  const kilobytes = (/** @type {number} */ bytes) => figure(bytes / 1024)
  const { path: page, scriptBytes, scripts, styleBytes, htmlBytes, htmlGzipBytes, requests } = weight
  return [page, kilobytes(scriptBytes), scripts, ...[styleBytes, htmlBytes, htmlGzipBytes].map(kilobytes), requests]
}

/** Stops everything in reverse order, so that the pool ends before the database that it is connected to. */
function stop() {
  stopping ??= (async () => {
    for (const one of started.reverse()) await one.stop().catch((error) => console.error(error))
  })()
  return stopping
}
