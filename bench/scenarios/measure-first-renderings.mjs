// Measures what the application draws and renders anew: story pictures, and the page of a drop after the drop changed.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.mjs'
import { cpuOf, memoryOf } from '../processes.mjs'
import { makeDrop } from './measure-purchases.mjs'

/** @import { BenchTools } from '../run.mjs' */

/** How many pictures are drawn one after the other, each of another state of the drop. */
const DRAWINGS = 8
/** How many different pictures are requested at once, as after a crowd of sellers has published. */
const AT_ONCE = 27
const CHANGES = 60
/** A process hears of a change within this time. The measured request must not get the page from before the change. */
const NOTICE_MS = 25

/**
 * Measures story pictures: drawn, then stored, then 27 different ones at once.
 * @param {BenchTools} tools
 */
export async function measureStories({ app, pool }) {
  const path = `/drop/${await makePicturedDrop(pool)}`
  await get(`${app.url + path}/story-image`)
  const drawn = []
  const before = cpuOf(app.pid)
  for (let index = 0; index < DRAWINGS; index += 1) {
    await pool.query(`UPDATE "Drop" SET "title" = $2 WHERE "uniqueId" = $1`, [path.slice(6), `Bench print ${index}`])
    drawn.push(await get(`${app.url + path}/story-image`))
  }
  const cpuMs = (cpuOf(app.pid) - before) / 1000 / DRAWINGS
  const stored = await get(`${app.url + path}/story-image`)

  const others = []
  for (let index = 0; index < AT_ONCE; index += 1) others.push(await makePicturedDrop(pool))
  const memory = memoryOf(app.pid)
  let highestMb = memory.now
  const watch = setInterval(() => (highestMb = Math.max(highestMb, memoryOf(app.pid).now)), 20)
  const answers = await Promise.all(others.map((id) => get(`${app.url}/drop/${id}/story-image`)))
  clearInterval(watch)
  const count = (/** @type {number} */ status) => answers.filter((one) => one.status === status).length
  return {
    drawnMs: percentile(
      drawn.map((one) => one.ms),
      0.5,
    ),
    cpuMs,
    storedMs: stored.ms,
    failed: drawn.filter((one) => one.status !== 200).length + AT_ONCE - count(200) - count(503),
    drawnAtOnce: count(200),
    refusedAtOnce: count(503),
    atOnce: AT_ONCE,
    addedMb: highestMb - memory.now,
  }
}

/**
 * Measures the first response with the page of a drop after the drop changed.
 * @param {Pick<BenchTools, 'app' | 'pool'>} tools
 */
export async function measureFirstRenderings({ app, pool }) {
  const id = await makePicturedDrop(pool)
  const url = `${app.url}/drop/${id}`
  /** @param {number} changes */
  const measure = async (changes) => {
    const times = []
    let cpuUs = 0
    for (let index = 0; index < changes; index += 1) {
      const title = `Changed ${changes} ${index}`
      await pool.query(`UPDATE "Drop" SET "title" = $2 WHERE "uniqueId" = $1`, [id, title])
      await sleep(NOTICE_MS)
      const before = cpuOf(app.pid)
      const { ms, text } = await get(url)
      cpuUs += cpuOf(app.pid) - before
      if (!text.includes(title)) throw new Error('The page shows a title from before the change.')
      times.push(ms)
    }
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpuMs: cpuUs / changes / 1000 }
  }
  // The first renderings compile what the measured ones use.
  await measure(CHANGES / 2)
  return measure(CHANGES)
}

/**
 * Makes a live drop and gives it the largest photo that still belongs to a drop of the demo. A photo belongs to one
 * drop only.
 * @param {BenchTools['pool']} pool
 * @returns {Promise<string>} its public id
 */
async function makePicturedDrop(pool) {
  const { id, uniqueId } = await makeDrop(pool, 10)
  const { rows } = await pool.query(
    `UPDATE "DropImage" i SET "dropId" = $1, "position" = 0
       FROM "Drop" d
      WHERE d."id" = $1 AND i."id" = (
              SELECT one."id" FROM "DropImage" one JOIN "Drop" owner ON owner."id" = one."dropId"
               WHERE owner."title" NOT LIKE 'Bench print%' AND owner."title" NOT LIKE 'Changed %'
               ORDER BY one."width" * one."height" DESC, one."id" LIMIT 1)
     RETURNING i."id"`,
    [id],
  )
  if (rows.length === 0) throw new Error('The demo has no photo left.')
  return uniqueId
}

/**
 * @param {string} url
 * @returns {Promise<{ status: number | undefined, ms: number, text: string }>} `text`: the body, where it is a page
 */
function get(url) {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.get(url, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (/** @type {string} */ part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode, ms: performance.now() - startedAt, text }))
    })
    request.on('error', reject)
  })
}
