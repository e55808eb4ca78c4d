// npm run bench:pages: Lighthouse on a simulated phone for the pages that strangers open first, the median of BENCH_RUNS each (3). It
// starts the application with its demo; BENCH_URL takes a running one instead. Ends with 1 when a figure does not hold.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findBrowser } from '../scripts/browser.mjs'
import { findFreePort } from '../scripts/ports.mjs'
import { startApp } from '../tests/support/app-server.mjs'
import { figure, formatTable } from './table.mjs'

const PAGES = ['/', '/drop/low-sun', '/profile/juno']
const RUNS = Number(process.env.BENCH_RUNS ?? 3)
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const MAX_SCRIPT_BYTES = 190 * 1024
const HEAD = ['page', ...Object.keys(LEAST), 'LCP ms', 'TBT ms', 'CLS', 'JS gzip KB', 'all KB']

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const app = process.env.BENCH_URL ? null : await startApp({ env: { LOG_LEVEL: 'error' } })
const base = process.env.BENCH_URL ?? app.url
const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = await findBrowser()
const port = await findFreePort()
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  chromiumSandbox: CHROMIUM_SANDBOX === '1',
  args: [`--remote-debugging-port=${port}`, '--disable-background-networking', '--disable-component-update'],
})
const rows = []
const missed = []
try {
  for (const page of PAGES) rows.push(await measure(page))
} finally {
  await browser.close()
  await app?.stop()
}
console.log(formatTable(HEAD, rows))
for (const line of missed) console.error(line)
if (missed.length > 0) process.exitCode = 1

async function measure(page) {
  const reports = []
  for (let run = 0; run < RUNS; run += 1) {
    const { lhr } = await lighthouse(base + page, { port, logLevel: 'error', output: 'json' })
    reports.push(lhr)
  }
  const median = (read) => reports.map(read).sort((a, b) => a - b)[Math.floor(RUNS / 2)]
  const audit = (name) => median((lhr) => lhr.audits[name].numericValue)
  const scores = Object.keys(LEAST).map((name) => Math.round(100 * median((lhr) => lhr.categories[name].score)))
  const scriptBytes = median((lhr) =>
    lhr.audits['network-requests'].details.items
      .filter((item) => item.resourceType === 'Script')
      .reduce((sum, item) => sum + item.transferSize, 0),
  )
  Object.entries(LEAST).forEach(([name, least], at) => {
    if (scores[at] < least) missed.push(`${page}: ${name} ${scores[at]}, not ${least}: ${failed(reports[0], name)}`)
  })
  if (scriptBytes > MAX_SCRIPT_BYTES) missed.push(`${page}: ${figure(scriptBytes / 1024)} KB of scripts`)
  const shift = audit('cumulative-layout-shift')
  if (shift > 0) missed.push(`${page}: it moves, ${shift}`)
  const times = ['largest-contentful-paint', 'total-blocking-time'].map((name) => Math.round(audit(name)))
  const bytes = [scriptBytes, audit('total-byte-weight')].map((value) => figure(value / 1024))
  return [page, ...scores, ...times, shift.toFixed(3), ...bytes]
}

/** The audits that cost points, by name. */
function failed({ categories, audits }, name) {
  return categories[name].auditRefs
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
    .map(({ id }) => id)
    .join(', ')
}
