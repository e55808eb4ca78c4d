// Measures first visits to a drop page on a simulated mid-range phone: with slow 4G and the user agents of Chrome and
// of three apps' browsers, and with slow 3G. Unlike Lighthouse's simulation, the browser itself is slowed down, so the
// figures also grow with the load of the machine.
import os from 'node:os'
import { percentile } from './percentile.mjs'

/**
 * @import { Browser, BrowserContextOptions, CDPSession } from '@playwright/test'
 *
 * @typedef {{ usableMs: number, lcpMs: number, awakeMs: number, scriptBytesBefore: number, bytes: number, shift: number
 *   }} Visit `usableMs` is when the Buy button was painted, which works without a script; `awakeMs` is when the page
 *   was hydrated; `bytes` are those of all requests until then
 * @typedef {{ type: string, startedAt: number, bytes: number }} Transfer
 */

/** Slow 4G as in Lighthouse: 1.6 Mbit/s down, 750 kbit/s up, and 150 ms for each request. Connecting takes no time. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
/** Slow 3G as in WebPageTest: 400 kbit/s in both directions, and 400 ms for each request. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 }
/** How many times slower the phone's processor is than this machine's. Lighthouse uses the same factor. */
const CPU_SLOWDOWN = 4
const WAIT_MS = 60_000
const LIMITS = { usableMs: 1_300, lcpMs: 1_300, scriptKb: 60, kb: 280 }
const SLOW_3G_LIMITS = { ...LIMITS, usableMs: 2_000, lcpMs: 4_000 }
export const FIRST_VISIT_HEAD = [
  'first visit',
  'usable ms',
  'LCP ms',
  'hydrated ms',
  'JS KB before LCP',
  'all KB',
  'shifts',
  'load',
]

const ANDROID = { viewport: { width: 412, height: 915 }, deviceScaleFactor: 2.625 }
const IPHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 }
const ANDROID_AGENT = 'Mozilla/5.0 (Linux; Android 14; SM-A556B) AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE_AGENT = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

const CHROME = { ...ANDROID, userAgent: `${ANDROID_AGENT} Chrome/131.0.0.0 Mobile Safari/537.36` }

/** @type {Record<string, BrowserContextOptions>} */
const PHONES = {
  'Chrome, Android': CHROME,
  'Instagram, iPhone': {
    ...IPHONE,
    userAgent: `${IPHONE_AGENT} Mobile/15E148 Instagram 358.0.0.0 (iPhone15,3; iOS 18_1)`,
  },
  'TikTok, Android': {
    ...ANDROID,
    userAgent: `${ANDROID_AGENT} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 trill_370602 BytedanceWebview/d8a21c6`,
  },
  'Facebook, iPhone': {
    ...IPHONE,
    userAgent: `${IPHONE_AGENT} Mobile/15E148 [FBAN/FBIOS;FBAV/488.0.0.0;FBDV/iPhone15,3]`,
  },
}

/** @type {[name: string, phone: BrowserContextOptions, network: typeof SLOW_4G, limits: typeof LIMITS][]} */
const VISITS = [
  ...Object.entries(PHONES).map(
    ([name, phone]) =>
      /** @type {[string, BrowserContextOptions, typeof SLOW_4G, typeof LIMITS]} */ ([name, phone, SLOW_4G, LIMITS]),
  ),
  ['Chrome, slow 3G', CHROME, SLOW_3G, SLOW_3G_LIMITS],
]

/**
 * @param {{ browser: Browser, url: string, runs: number }} options
 * @returns {Promise<{ rows: (string | number)[][], missed: string[] }>} the medians, and the
 *   figures that miss their limits
 */
export async function measureFirstVisits({ browser, url, runs }) {
  const rows = []
  const missed = []
  for (const [name, phone, network, limits] of VISITS) {
    /** @type {Visit[]} */
    const visits = []
    for (let run = 0; run < runs; run += 1) visits.push(await visit(browser, { phone, network }, url))
    const median = (/** @type {keyof Visit} */ field) =>
      percentile(
        visits.map((one) => one[field]),
        0.5,
      )
    const [usableMs, lcpMs] = [Math.round(median('usableMs')), Math.round(median('lcpMs'))]
    const [scriptKb, kb] = [Math.round(median('scriptBytesBefore') / 1024), Math.round(median('bytes') / 1024)]
    rows.push([
      ...[name, usableMs, lcpMs, Math.round(median('awakeMs')), scriptKb, kb],
      ...[median('shift').toFixed(3), (os.loadavg()[0] ?? 0).toFixed(1)],
    ])
    if (!(usableMs <= limits.usableMs))
      missed.push(`${name}: usable ${usableMs} ms, at most ${limits.usableMs} allowed`)
    if (!(lcpMs <= limits.lcpMs)) missed.push(`${name}: LCP ${lcpMs} ms, at most ${limits.lcpMs} allowed`)
    if (!(scriptKb <= limits.scriptKb))
      missed.push(`${name}: ${scriptKb} KB of scripts before LCP, at most ${limits.scriptKb} allowed`)
    if (!(kb <= limits.kb)) missed.push(`${name}: ${kb} KB in all, at most ${limits.kb} allowed`)
  }
  return { rows, missed }
}

/**
 * @param {Browser} browser
 * @param {{ phone: BrowserContextOptions, network: typeof SLOW_4G }} device
 * @param {string} url
 * @returns {Promise<Visit>}
 */
async function visit(browser, { phone, network }, url) {
  const context = await browser.newContext({ ...phone, isMobile: true, hasTouch: true, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchPage)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const transfers = await watchTransfers(session)
    await page.goto(url, { waitUntil: 'commit', timeout: WAIT_MS })
    await page.waitForFunction(() => Reflect.get(window, 'lastcallAwake') === true, null, { timeout: WAIT_MS })
    const seen = await page.evaluate(() => Reflect.get(window, 'lastcallSeen'))
    const until = (/** @type {number} */ ms) => transfers.filter(({ startedAt }) => startedAt < ms)
    const sum = (/** @type {Transfer[]} */ list) => list.reduce((total, { bytes }) => total + bytes, 0)
    const scriptBytesBefore = sum(until(seen.lcpMs).filter(({ type }) => type === 'Script'))
    return { ...seen, scriptBytesBefore, bytes: sum(until(seen.awakeMs)) }
  } finally {
    await context.close()
  }
}

/**
 * Runs in the page before its own scripts, and notes when the first paint showed the Buy button, the LCP, when the page
 * was hydrated, and the sum of all layout shifts.
 */
function watchPage() {
  const seen = { usableMs: NaN, lcpMs: NaN, awakeMs: NaN, shift: 0 }
  Object.assign(window, { lastcallSeen: seen })
  let isAwake = false
  Object.defineProperty(window, 'lastcallAwake', {
    get: () => isAwake,
    set: (value) => {
      isAwake = value
      seen.awakeMs = performance.now()
    },
  })
  new PerformanceObserver((list) => {
    const hasButton = document.querySelector('form[action$="/buy"] button') !== null
    for (const { name, startTime } of list.getEntries()) {
      if (name === 'first-contentful-paint' && hasButton) seen.usableMs = startTime
    }
  }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcpMs = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += Number(Reflect.get(entry, 'value'))
  }).observe({ type: 'layout-shift', buffered: true })
}

/**
 * Lists what the page loads. A transfer counts from its start, so a script that is still loading at the time of the LCP
 * counts as loaded before the LCP.
 * @param {CDPSession} session
 * @returns {Promise<Transfer[]>}
 */
async function watchTransfers(session) {
  /** @type {Map<string, Transfer>} */
  const open = new Map()
  /** @type {Transfer[]} */
  const transfers = []
  let startedAt = NaN
  session.on('Network.requestWillBeSent', ({ requestId, timestamp, type = 'Other' }) => {
    if (Number.isNaN(startedAt)) startedAt = timestamp
    const transfer = { type, startedAt: (timestamp - startedAt) * 1000, bytes: 0 }
    open.set(requestId, transfer)
    transfers.push(transfer)
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const transfer = open.get(requestId)
    if (transfer) transfer.bytes += encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = open.get(requestId)
    if (transfer) transfer.bytes = encodedDataLength
  })
  return transfers
}
