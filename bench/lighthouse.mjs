// npm run bench:pages runs Lighthouse on a simulated phone for the pages that strangers open first, and opens the drop
// page on slowed-down phones (bench/first-visits.mjs). Everything is measured BENCH_RUNS times (3 by default), and the
// medians count. With BENCH_ONLY=first-visits Lighthouse is left out. The bench starts the application with its demo,
// or measures the one that already runs at BENCH_URL. The exit code is 1 when a figure misses its limit.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findBrowser } from '../scripts/find-browser.mjs'
import { findFreePort } from '../scripts/ports.mjs'
import { startApp } from '../tests/support/start-app.mjs'
import { FIRST_VISIT_HEAD, measureFirstVisits } from './first-visits.mjs'
import { figure, formatTable } from './format-table.mjs'
import { percentile } from './percentile.mjs'

/** @typedef {import('lighthouse').RunnerResult['lhr']} Report */

const DROP_PAGE = '/drop/low-sun'
const PAGES = ['/', DROP_PAGE, '/profile/juno']
const RUNS = Number(process.env.BENCH_RUNS ?? 3)
/** The lowest score of each category that is good enough. */
const MIN_SCORES = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 }
/** The largest value of each audit, in milliseconds: the limits of Google's Web Vitals, and TBT in place of INP. */
const MAX_MS = { 'largest-contentful-paint': 2_500, 'total-blocking-time': 200, 'server-response-time': 800 }
/** All of them load after the picture is painted, so their limit only shows when a page gets heavier. */
const MAX_SCRIPT_BYTES = 215 * 1024
/** The page is painted before its fonts arrive, so prices and titles may change their width by a pixel. */
const MAX_SHIFT = 0.005
const HEAD = ['page', ...Object.keys(MIN_SCORES), 'LCP ms', 'TBT ms', 'TTFB ms', 'CLS', 'JS gzip KB', 'all KB']

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const { BENCH_URL, BENCH_ONLY } = process.env
const app = BENCH_URL
  ? { url: BENCH_URL, stop: async () => {} }
  : await startApp({ seed: null, env: { LOG_LEVEL: 'error' } })
const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = await findBrowser()
const port = await findFreePort()
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  chromiumSandbox: CHROMIUM_SANDBOX === '1',
  args: [`--remote-debugging-port=${port}`, '--disable-background-networking', '--disable-component-update'],
})
const rows = []
/** @type {string[]} */
const missed = []
try {
  const visits = await measureFirstVisits({ browser, url: app.url + DROP_PAGE, runs: RUNS })
  console.log(formatTable(FIRST_VISIT_HEAD, visits.rows))
  missed.push(...visits.missed)
  if (BENCH_ONLY !== 'first-visits') {
    for (const page of PAGES) rows.push(await measure(page))
    console.log(formatTable(HEAD, rows))
  }
} finally {
  await browser.close()
  await app.stop()
}
for (const line of missed) console.error(line)
if (missed.length > 0) process.exitCode = 1

/** @param {string} page */
async function measure(page) {
  /** @type {Report[]} */
  const reports = []
  for (let run = 0; run < RUNS; run += 1) {
    const result = await lighthouse(app.url + page, { port, logLevel: 'error', output: 'json' })
    if (!result) throw new Error(`Lighthouse returned no report for ${page}`)
    reports.push(result.lhr)
  }
  const median = (/** @type {(report: Report) => number} */ read) => percentile(reports.map(read), 0.5)
  const audit = (/** @type {string} */ name) => median(({ audits }) => audits[name]?.numericValue ?? NaN)
  const scriptBytes = median(scriptBytesOf)
  const scores = Object.entries(MIN_SCORES).map(([name, minimum]) => {
    const score = Math.round(100 * median(({ categories }) => categories[name]?.score ?? NaN))
    if (!(score >= minimum)) missed.push(`${page}: ${name} ${score}, not ${minimum}: ${failedAudits(reports, name)}`)
    return score
  })
  if (scriptBytes > MAX_SCRIPT_BYTES) missed.push(`${page}: ${figure(scriptBytes / 1024)} KB of scripts`)
  const shift = audit('cumulative-layout-shift')
  if (!(shift <= MAX_SHIFT)) missed.push(`${page}: its layout shifts, ${shift}`)
  const times = Object.entries(MAX_MS).map(([name, limit]) => {
    const ms = Math.round(audit(name))
    if (!(ms <= limit)) missed.push(`${page}: ${name} ${ms} ms, at most ${limit} allowed`)
    return ms
  })
  const bytes = [scriptBytes, audit('total-byte-weight')].map((value) => figure(value / 1024))
  return [page, ...scores, ...times, shift.toFixed(3), ...bytes]
}

/**
 * @param {Report} report
 * @returns {number} how many bytes of scripts were transferred
 */
function scriptBytesOf({ audits }) {
  const details = audits['network-requests']?.details
  if (details?.type !== 'table') throw new Error('Lighthouse did not list the requests')
  return details.items
    .filter((item) => item.resourceType === 'Script')
    .reduce((sum, item) => sum + Number(item.transferSize), 0)
}

/**
 * @param {Report[]} reports
 * @param {string} category
 * @returns {string} the names of the audits that cost points
 */
function failedAudits([report], category) {
  const references = report?.categories[category]?.auditRefs ?? []
  return references
    .filter(({ id, weight }) => weight > 0 && (report?.audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => id)
    .join(', ')
}
