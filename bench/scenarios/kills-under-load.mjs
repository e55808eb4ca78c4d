// Kills the server with kill -9 at a random moment while buyers pay, again and again on the same data. After each
// restart, every payment that Stripe took must have exactly one paid order within a minute.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkInvariants } from '../../lib/operations/check-invariants.mjs'
import { startApp } from '../../tests/support/start-app.mjs'
import { figure } from '../format-table.mjs'
import { makeDrop } from './measure-purchases.mjs'

/**
 * @import { App } from '../../tests/support/start-app.mjs'
 * @import { LoadGenerator, Stoppable } from '../processes.mjs'
 */

const CONNECTIONS = 12
const CONVERGE_MS = 60_000
const LOOK_EVERY_MS = 100

/**
 * @param {object} options
 * @param {LoadGenerator} options.load
 * @param {Stoppable[]} options.started receives what must be stopped at the end
 * @param {number} options.kills
 * @param {(text: string) => void} options.onKill
 */
export async function killsUnderLoad({ load, started, kills, onKill }) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'lastcall-kills-'))
  /** @type {App | undefined} */
  let app
  started.push({
    stop: async () => {
      await app?.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  })
  const start = async () => (app = await startApp({ seed: null, dataDir, env: { LOG_LEVEL: 'error' } }))
  let server = await start()
  const total = { paid: 0, lost: 0, doubled: 0, upAfterMs: 0, convergedMs: 0 }
  /** @type {string[]} */
  const acknowledged = []
  const drop = await withPool(server, (pool) => makeDrop(pool, 1_000_000))
  for (let kill = 1; kill <= kills; kill += 1) {
    const url = `http://127.0.0.1:${new URL(server.url).port}`
    const buying = load.ask({ kind: 'storm', url, drop, connections: CONNECTIONS, seed: kill * 10_000 })
    const afterMs = 1_000 + Math.random() * 3_000
    await sleep(afterMs)
    await server.kill()
    const { paid } = await buying
    acknowledged.push(...paid)
    const killedAt = performance.now()
    server = await start()
    const upAfterMs = performance.now() - killedAt
    const restartedAt = performance.now()
    const seen = await withPool(server, (pool) => waitUntilSettled(pool, drop.id, acknowledged))
    const convergedMs = performance.now() - restartedAt
    onKill(
      `kill ${kill} after ${figure(afterMs / 1000)} s: ${paid.length} payments acknowledged, up after ` +
        `${figure(upAfterMs / 1000)} s, ${seen.open} payments not settled then, converged after ${figure(convergedMs / 1000)} s`,
    )
    Object.assign(total, { paid: seen.paid, lost: seen.lost, doubled: seen.doubled })
    total.upAfterMs = Math.max(total.upAfterMs, upAfterMs)
    total.convergedMs = Math.max(total.convergedMs, convergedMs)
    if (seen.lost + seen.doubled > 0) throw new Error(JSON.stringify(seen))
  }
  return total
}

/**
 * @template Result
 * @param {App} app
 * @param {(pool: pg.Pool) => Promise<Result>} work
 */
async function withPool(app, work) {
  const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 1 })
  pool.on('error', () => {})
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/**
 * Waits until every payment that Stripe took has a paid order, or until a minute has passed. A payment that has no paid
 * order by then counts as lost.
 * @param {pg.Pool} pool
 * @param {number} dropId
 * @param {string[]} acknowledged the sessions that the server reported as paid
 */
async function waitUntilSettled(pool, dropId, acknowledged) {
  const deadline = performance.now() + CONVERGE_MS
  /** @type {number | undefined} how many payments had no paid order at first */
  let open
  for (;;) {
    const { rows } = await pool.query(
      `SELECT count(*) FILTER (WHERE o."paidAt" IS NOT NULL)::int AS "paid",
              count(*) FILTER (WHERE s."json"->>'payment_status' = 'paid' AND o."paidAt" IS NULL)::int AS "lost"
         FROM "Order" o LEFT JOIN "SandboxObject" s ON s."json"->>'client_reference_id' = o."id" AND s."kind" = 'checkout.session'
        WHERE o."dropId" = $1`,
      [dropId],
    )
    const { paid, lost } = rows[0]
    open ??= lost
    if (lost > 0 && performance.now() < deadline) {
      await sleep(LOOK_EVERY_MS)
      continue
    }
    const known = await pool.query(
      `SELECT (SELECT count(*) FROM "Order" WHERE "stripeSessionId" = ANY($2) AND "paidAt" IS NOT NULL)::int AS "kept",
              (SELECT count(*) FROM "OutboxMail" m JOIN "Order" o ON m."dedupeKey" = 'receipt:' || o."id"
                WHERE o."dropId" = $1)::int AS "receipts",
              (SELECT "sold" FROM "Drop" WHERE "id" = $1) AS "sold"`,
      [dropId, acknowledged],
    )
    const { kept, receipts, sold } = known.rows[0]
    const broken = (await checkInvariants(pool)).filter(({ breaches }) => breaches.length > 0)
    return {
      open,
      paid,
      lost: lost + acknowledged.length - kept,
      doubled: Math.abs(receipts - paid) + Math.abs(sold - paid) + broken.length,
      broken,
    }
  }
}
