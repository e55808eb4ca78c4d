// node bench/create.mjs [runs = 3] measures how long a returning seller takes from the camera to a live link on a phone
// with slow 4G, and counts the taps. A tap takes 0.7 s and a character 0.15 s, as for a person. The application has to
// be built first (npm run build).
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import pg from 'pg'
import sharp from 'sharp'
import { findBrowser } from '../scripts/find-browser.mjs'
import { startApp } from '../tests/support/start-app.mjs'

/** Slow 4G as in Lighthouse: 1.6 Mbit/s down, 750 kbit/s up, and 150 ms for each request. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const TAP_MS = 700
const CHARACTER_MS = 150
const LIMITS = { seconds: 20, taps: 7 }
const TEXTS = { 'Product Name': 'Blue bowl', Description: 'Thrown by hand.', Price: '38' }

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const runs = Number(process.argv[2] ?? 3)
const app = await startApp({ seed: null, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 1 })
const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = await findBrowser()
const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, chromiumSandbox: CHROMIUM_SANDBOX === '1' })
try {
  const photo = await phonePhoto()
  console.log(`The photo has ${(photo.length / 1_048_576).toFixed(1)} MB.`)
  for (let run = 0; run < runs; run += 1) {
    const { seconds, taps } = await publish(photo)
    console.log(`From the camera to the live link: ${seconds.toFixed(1)} s, ${taps} taps`)
    if (seconds > LIMITS.seconds || taps > LIMITS.taps) process.exitCode = 1
  }
} finally {
  await browser.close()
  await pool.end()
  await app.stop()
}

/** Makes a photo of 12 megapixels with as many details as a phone's. */
async function phonePhoto() {
  const noise = { type: /** @type {const} */ ('gaussian'), mean: 128, sigma: 40 }
  const details = await sharp({ create: { width: 1000, height: 750, channels: 3, background: '#888888', noise } })
    .png()
    .toBuffer()
  return sharp(details).resize(4032, 3024, { kernel: 'cubic' }).jpeg({ quality: 92 }).toBuffer()
}

/** @param {Buffer} photo */
async function publish(photo) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'block',
  })
  await signUpWithEarlierDrop(context.request)
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', SLOW_4G)
  await page.goto(`${app.url}/create`, { waitUntil: 'networkidle' })
  let taps = 0
  const tap = async (/** @type {'button' | 'textbox'} */ role, /** @type {string} */ name) => {
    taps += 1
    await sleep(TAP_MS)
    await page.getByRole(role, { name }).first().tap()
  }
  const startedAt = performance.now()
  const choosing = page.waitForEvent('filechooser')
  await tap('button', 'Take a photo')
  // The shutter, and the camera's button that accepts the photo.
  taps += 2
  await sleep(2 * TAP_MS)
  await (await choosing).setFiles([{ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: photo }])
  for (const [name, text] of Object.entries(TEXTS)) {
    await tap('textbox', name)
    await page.keyboard.type(text, { delay: CHARACTER_MS })
  }
  await tap('button', 'Create Drop')
  await page.getByRole('heading', { name: 'Drop Created!' }).waitFor({ timeout: 120_000 })
  const seconds = (performance.now() - startedAt) / 1000
  await context.close()
  return { seconds, taps }
}

/** @param {import('@playwright/test').APIRequestContext} request */
async function signUpWithEarlierDrop(request) {
  const username = `bench_${randomBytes(4).toString('hex')}`
  const account = { username, email: `${username}@example.com`, password: `pass ${username}` }
  const names = { firstName: 'B', lastName: 'B' }
  const signedUp = await request.post(`${app.url}/api/auth/signup`, { data: { ...account, ...names } })
  if (!signedUp.ok()) throw new Error(`sign-up returned status ${signedUp.status()}`)
  const buffer = await sharp({ create: { width: 640, height: 800, channels: 3, background: '#c93a05' } })
    .jpeg()
    .toBuffer()
  const form = { title: 'Mug', description: 'A mug.', price: '24', shipsFrom: 'DE', shipsWithin: '5' }
  const image0 = { name: 'a.jpg', mimeType: 'image/jpeg', buffer }
  const created = await request.post(`${app.url}/api/drops`, { multipart: { ...form, image0 } })
  if (!created.ok()) throw new Error(`the earlier drop was refused: ${await created.text()}`)
  const ended = `UPDATE "Drop" SET "isActive" = false, "archivedAt" = now(), "endTime" = now()
    WHERE "userId" = (SELECT "id" FROM "User" WHERE "username" = $1)`
  await pool.query(ended, [username])
}
