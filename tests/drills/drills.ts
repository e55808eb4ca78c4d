import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { HOUR_MS } from '@/lib/kernel/time'
import { findFreePort } from '@/scripts/ports.mjs'
import { startEmbeddedPostgres } from '@/scripts/postgres/start-embedded-postgres.mjs'
import { startApp } from '../support/start-app.mjs'
import {
  buy,
  createDrop,
  goodFields,
  openCheckout,
  pay,
  postDrop,
  shopAt,
  signUp,
  stockOf,
  toForm,
} from '../support/e2e'
import { drawing } from '../support/photos'
import { runNode } from '../support/run-node'
import { startStripe } from '../support/start-stripe.mjs'
import { examine, type Site, untilHealed } from './start-site'

export type Drill = { name: string; needsDisk?: true; play: (site: Site) => Promise<string> }

const BUYERS = 6

function assert(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what)
}

/** Creates a seller with a drop of 50 units. */
const createStockedDrop = async (site: Site) => {
  const seller = await signUp(site.shop(), { plan: 'pro' })
  return { seller, drop: await createDrop(site.shop(), seller, { quantity: '50' }) }
}

const paidOrders = async (site: Site, dropId: number) =>
  (await site.shop().query('SELECT 1 FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL', [dropId])).length

/** Uploads a picture with a new drop, and returns the status. */
async function upload(site: Site, seller: Awaited<ReturnType<typeof signUp>>): Promise<number> {
  const response = await postDrop(site.shop(), seller, toForm(goodFields(), [drawing()]))
  await response.arrayBuffer()
  return response.status
}

async function portTaken(site: Site): Promise<string> {
  const { code, stderr } = await runNode(['scripts/start.mjs'], {
    ...{ NODE_ENV: 'production', PORT: String(site.port), DATA_DIR: path.join(site.folder, 'other') },
    ...{ DATABASE_URL: undefined, APP_URL: undefined },
  })
  assert(code === 1 && /^Port \d+ is busy: .*\n$/.test(stderr), `code ${code}: ${stderr}`)
  return `the second start ended with code 1 and one line: ${stderr.trim()}`
}

async function twoStarts(site: Site): Promise<string> {
  const { drop } = await createStockedDrop(site)
  const port = await findFreePort()
  const second = await startApp({ port, dataDir: site.dataDir, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
  try {
    assert(second.databaseUrl === site.databaseUrl(), 'the second start has another database')
    const other = shopAt(`http://127.0.0.1:${port}`, second.databaseUrl)
    await Promise.all([buy(site.shop(), drop.id), buy(other, drop.id)])
    assert((await stockOf(site.shop(), drop.id)).sold === 2, 'a sale is missing')
  } finally {
    await second.stop()
  }
  await buy(site.shop(), drop.id)
  return 'both starts used one database and sold from one stock; the first went on when the second stopped'
}

async function storageReadOnly(site: Site): Promise<string> {
  const { seller, drop } = await createStockedDrop(site)
  execFileSync('mount', ['-o', 'remount,ro', site.uploads])
  const refused = await upload(site, seller).finally(() => execFileSync('mount', ['-o', 'remount,rw', site.uploads]))
  assert(refused === 503, `an upload returned ${refused}`)
  await buy(site.shop(), drop.id)
  const after = await upload(site, seller)
  assert(after === 201, `after the repair, an upload returned ${after}`)
  return 'an upload returned 503, a sale went through, and the next upload after the repair returned 201'
}

async function uploadDiskFull(site: Site): Promise<string> {
  const { seller, drop } = await createStockedDrop(site)
  const filler = fill(site.uploads)
  const refused = await upload(site, seller)
  await buy(site.shop(), drop.id)
  rmSync(filler)
  assert(refused === 503, `an upload returned ${refused}`)
  const after = await upload(site, seller)
  assert(after === 201, `after the repair, an upload returned ${after}`)
  return 'an upload returned 503, a sale went through, and the next upload with free space returned 201'
}

/** Fills the disk under a folder to the last byte. @returns the file that uses up the space */
function fill(folder: string): string {
  const filler = path.join(folder, 'filler')
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' })
  } catch {
    // dd fails when the disk is full. Filling it is the purpose here.
  }
  assert(existsSync(filler), 'the disk was not filled')
  return filler
}

async function databaseDiskFull(site: Site): Promise<string> {
  const { drop } = await createStockedDrop(site)
  const filler = fill(site.dataDir)
  const statuses: Record<string, number> = {}
  const count = (status: number | string) => (statuses[status] = (statuses[status] ?? 0) + 1)
  // So many rows need more space than the full disk has.
  const grow = (at: number) =>
    site
      .shop()
      .query(`INSERT INTO "RateLimit" ("key", "points") SELECT 'drill' || n, $1 FROM generate_series(1, 200000) n`, [
        at,
      ])
  const failure = await grow(1).then(
    () => 'nothing failed',
    (error: unknown) => String((error as { code?: string }).code),
  )
  for (let buyer = 0; buyer < 25; buyer += 1)
    count(
      await openCheckout(site.shop(), drop.id).then(
        ({ status }) => status,
        () => 'no response',
      ),
    )
  rmSync(filler)
  assert(!('500' in statuses), `a checkout returned 500: ${JSON.stringify(statuses)}`)
  const seconds = await untilHealed('a sale', async () => {
    await buy(site.shop(), drop.id)
    return true
  })
  return `Postgres failed with ${failure}, checkouts returned ${JSON.stringify(statuses)}; a sale went through ${seconds} s after space was free`
}

/**
 * Stripe's clock stays right, so the stand-in runs in its own process here. Its events carry the right time, so a
 * server whose clock is wrong refuses them. A payment is then recorded when its buyer comes back, or by the sweep.
 */
async function clockJump(site: Site): Promise<string> {
  const { drop } = await createStockedDrop(site)
  const folder = path.join(site.folder, 'stripe')
  mkdirSync(folder)
  const postgres = await startEmbeddedPostgres({ folder, isTemporary: true })
  const stripe = await startStripe({
    ...{ databaseUrl: postgres.databaseUrl, appUrl: site.shop().url, port: await findFreePort(), isQuiet: true },
  })
  try {
    for (const [at, skew] of [2 * HOUR_MS, -2 * HOUR_MS].entries()) {
      await site.terminate()
      const options = `--import ${path.resolve('tests/drills/skew-clock.mjs')}`
      await site.start({ ...stripe.environment, SKEW_MS: String(skew), NODE_OPTIONS: options })
      // This pays and opens the page after paying, as the buyer's browser does.
      await buy(site.shop(), drop.id)
      const { sold } = await stockOf(site.shop(), drop.id)
      assert(sold === at + 1, `${sold} units are sold instead of ${at + 1}`)
    }
    await site.terminate()
    await site.start(stripe.environment)
    const { sold, held } = await stockOf(site.shop(), drop.id)
    assert(sold === 2 && held === 0, `${sold} units are sold and ${held} are held`)
  } finally {
    await stripe.stop()
    await postgres.stop()
  }
  return 'two hours ahead and two hours behind, a payment was recorded once when its buyer came back from Stripe'
}

/** Opens checkouts and pays them while `interrupt` runs. @returns the sessions whose payment was acknowledged */
async function buyDuring(site: Site, dropId: number, interrupt: () => Promise<unknown>): Promise<string[]> {
  const opened = await Promise.all(Array.from({ length: BUYERS }, () => openCheckout(site.shop(), dropId)))
  const paying = opened.map(({ body }) => pay(body.url ?? '', 'bea@example.com').catch(() => ({ sessionId: null })))
  const more = Array.from({ length: BUYERS }, () => openCheckout(site.shop(), dropId).catch(() => null))
  // By now at least one payment is acknowledged, and the others are under way.
  await Promise.race(paying)
  await interrupt()
  await Promise.all(more)
  return (await Promise.all(paying)).flatMap(({ sessionId }) => sessionId ?? [])
}

async function interrupted(site: Site, interrupt: () => Promise<unknown>): Promise<string> {
  const { drop } = await createStockedDrop(site)
  const acknowledged = await buyDuring(site, drop.id, interrupt)
  assert(acknowledged.length > 0, 'no payment was acknowledged')
  await site.start()
  const isPaid = async () => {
    const text = 'SELECT "stripeSessionId" AS "id" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL'
    const rows = await site.shop().query<{ id: string }>(text, [drop.id])
    return acknowledged.every((id) => rows.filter((row) => row.id === id).length === 1)
  }
  const seconds = await untilHealed('an acknowledged payment', isPaid)
  const [{ sold }, orders] = [await stockOf(site.shop(), drop.id), await paidOrders(site, drop.id)]
  assert(sold === orders, `${sold} units sold for ${orders} orders`)
  return `${acknowledged.length} of ${BUYERS} payments were acknowledged; each is one paid order ${seconds} s after the start`
}

async function terminatedUpload(site: Site): Promise<string> {
  const seller = await signUp(site.shop(), { plan: 'pro' })
  const uploading = Promise.all(Array.from({ length: 2 }, () => upload(site, seller).catch(() => 0)))
  // The row of an object is written before its bytes, so at this moment an upload is under way.
  const text = 'SELECT 1 FROM "StoredObject" WHERE "ownerId" = $1'
  await untilHealed('an upload', async () => (await site.shop().query(text, [seller.id])).length > 0)
  await site.terminate()
  const statuses = await uploading
  await site.start()
  const rows = await site.shop().query('SELECT 1 FROM "Drop" WHERE "userId" = $1', [seller.id])
  const created = statuses.filter((status) => status === 201).length
  assert(rows.length >= created, `${rows.length} drops exist for ${created} uploads that returned 201`)
  assert(!statuses.includes(500), `an upload returned 500: ${statuses.join()}`)
  return `the uploads returned ${statuses.join(', ')} (0 is a broken connection); ${rows.length} drops exist`
}

async function backupUnderLoad(site: Site): Promise<string> {
  const { drop } = await createStockedDrop(site)
  const [backup, restored] = [path.join(site.folder, 'backup'), path.join(site.folder, 'restored')]
  let [isDone, sales] = [false, 0]
  const buying = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (!isDone && sales < 40) {
        await buy(site.shop(), drop.id)
        sales += 1
      }
    }),
  )
  const env = { NODE_ENV: 'production', DATABASE_URL: undefined }
  const made = await runNode(['scripts/backup.mjs', backup], { ...env, DATA_DIR: site.dataDir })
  isDone = true
  await buying
  assert(made.code === 0, made.stderr)
  const back = await runNode(['scripts/restore.mjs', backup], { ...env, DATA_DIR: restored })
  assert(back.code === 0, back.stderr)
  const again = await startApp({ dataDir: restored, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } })
  try {
    await examine(again.databaseUrl)
    const { sold } = await stockOf(shopAt(again.url, again.databaseUrl), drop.id)
    assert(sold <= sales, `${sold} sold in the backup, ${sales} in the original`)
    return `a backup with ${sold} of ${sales} sales was restored, and the doctor found nothing`
  } finally {
    await again.stop()
  }
}

/** The drills in the order in which they run. Each leaves a working site, which the doctor then examines. */
export const drills: readonly Drill[] = [
  { name: 'port-taken', play: portTaken },
  { name: 'two-starts', play: twoStarts },
  { name: 'storage-read-only', needsDisk: true, play: storageReadOnly },
  { name: 'upload-disk-full', needsDisk: true, play: uploadDiskFull },
  { name: 'database-disk-full', needsDisk: true, play: databaseDiskFull },
  { name: 'sigterm-in-an-upload', play: terminatedUpload },
  { name: 'sigterm-in-a-checkout', play: (site) => interrupted(site, site.terminate) },
  { name: 'power-cut', play: (site) => interrupted(site, site.cutPower) },
  { name: 'backup-under-load', play: backupUnderLoad },
  { name: 'clock-jump', play: clockJump },
]
