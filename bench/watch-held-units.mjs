// Runs in a thread of its own, so that the attack's hundreds of answers a second do not delay its samples. Notes how
// many units of a drop are held, and for how long more than half of the unsold units are, until the main thread says
// stop.
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const { databaseUrl, dropId } = /** @type {{ databaseUrl: string, dropId: number }} */ (workerData)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
pool.on('error', () => {})
const seen = { most: 0, longest: 0, samples: 0 }
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})
let aboveSince = 0
while (!isOver) {
  const { rows } = await pool.query('SELECT "held", "quantity" - "sold" AS "unsold" FROM "Drop" WHERE "id" = $1', [
    dropId,
  ])
  const { held, unsold } = rows[0]
  seen.samples += 1
  seen.most = Math.max(seen.most, held)
  if (held * 2 <= unsold) aboveSince = 0
  else {
    aboveSince ||= Date.now()
    seen.longest = Math.max(seen.longest, (Date.now() - aboveSince) / 1000)
  }
  await sleep(100)
}
parentPort?.postMessage(seen)
await pool.end()
