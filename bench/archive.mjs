// node bench/archive.mjs measures how /api/cron/archive archives 10,000 and 100,000 drops that end at the same moment,
// while a visitor requests the page of another drop again and again. One call must archive all drops, otherwise the
// bench fails. A drop should take about the same time in both runs, and the page should not become slow.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startApp } from '../tests/support/start-app.mjs'
import { figure, formatTable } from './format-table.mjs'
import { percentile } from './percentile.mjs'

const SIZES = [10_000, 100_000]
const DROPS_PER_SELLER = 10
const PAGE = '/drop/low-sun'

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

const app = await startApp({ seed: null, env: { LOG_LEVEL: 'error' } })
const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 2 })
try {
  const rows = []
  for (const size of SIZES) rows.push(await measure(size))
  console.log(formatTable(['drops', 'archived', 's', 'µs per drop', 'emails', 'page p50 ms', 'page p99 ms'], rows))
  console.log('\npage: the drop page, requested again and again while the archive runs (mostly from the shared cache)')
} finally {
  await pool.end()
  await app.stop()
}

/** @param {number} size */
async function measure(size) {
  await makeEndedDrops(size)
  const { rows: before } = await pool.query('SELECT count(*)::int AS mails FROM "OutboxMail"')
  const startedAt = performance.now()
  let isRunning = true
  const watch = watchPage(() => isRunning)
  const response = await fetch(`${app.url}/api/cron/archive`, {
    headers: { authorization: `Bearer ${app.cronSecret}` },
  })
  const seconds = (performance.now() - startedAt) / 1000
  isRunning = false
  const times = await watch
  if (!response.ok) throw new Error(`The archive returned status ${response.status}: ${await response.text()}`)
  const { rows } = await pool.query(
    `SELECT count(*) FILTER (WHERE "archivedAt" IS NULL)::int AS left,
            (SELECT count(*)::int FROM "OutboxMail") AS mails FROM "Drop" WHERE "title" = 'Archive bench'`,
  )
  if (rows[0].left > 0) throw new Error(`${rows[0].left} drops were not archived`)
  const at = (/** @type {number} */ fraction) => figure(percentile(times, fraction))
  const perDrop = figure((seconds * 1_000_000) / size)
  return [size, size - rows[0].left, figure(seconds), perDrop, rows[0].mails - before[0].mails, at(0.5), at(0.99)]
}

/**
 * Makes drops that all ended at the same moment, at least an hour ago. One transaction writes them, so that the
 * scheduler sees all of them or none.
 * @param {number} size
 */
async function makeEndedDrops(size) {
  const mark = `bench${size}`
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO "User" ("username", "firstName", "lastName", "email", "passwordHash", "updatedAt")
       SELECT $1 || 'u' || n, 'Ben', 'Bench', $1 || n || '@example.com', 'none', now() FROM generate_series(1, $2::int) n`,
      [mark, size / DROPS_PER_SELLER],
    )
    await client.query(
      `INSERT INTO "Drop" ("uniqueId", "userId", "title", "description", "productType", "priceCents", "quantity", "sold",
                           "purchases", "duration", "startedAt", "endTime", "updatedAt")
       SELECT $1 || u."id" || 'x' || n, u."id", 'Archive bench', 'x', 'physical', 2400, 10, 2, 2, 24,
              date_trunc('hour', now()) - interval '25 hours', date_trunc('hour', now()) - interval '1 hour', now()
         FROM "User" u, generate_series(1, $2::int) n WHERE u."username" LIKE $1 || 'u%'`,
      [mark, DROPS_PER_SELLER],
    )
    await client.query(
      `INSERT INTO "DropRun" ("dropId", "run", "quantity", "sold", "startedAt", "endTime")
       SELECT "id", 1, "quantity", "sold", "startedAt", "endTime" FROM "Drop" WHERE "uniqueId" LIKE $1 || '%'`,
      [mark],
    )
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

/**
 * Requests the page again and again. The shared cache ignores the query string, so it answers most of these requests.
 * @param {() => boolean} isRunning
 * @returns {Promise<number[]>} how long each response took, in ms
 */
async function watchPage(isRunning) {
  /** @type {number[]} */
  const times = []
  while (isRunning() || times.length < 20) {
    const startedAt = performance.now()
    const response = await fetch(`${app.url}${PAGE}?look=${times.length}`)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`The page returned status ${response.status}`)
    times.push(performance.now() - startedAt)
  }
  return times
}
