import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '@/scripts/ports.mjs'
import { startEmbeddedPostgres } from '@/scripts/postgres/start-embedded-postgres.mjs'
import { startDatabaseProxy } from '../support/database-proxy'
import { createDrop, type DropFields, type Seller, type Shop, signUp } from '../support/e2e'
import { startStripe, stripeEnvironment, type StripeProcess } from '../support/start-stripe.mjs'
import type { Recorder } from './create-recorder'
import { keepApp, type KeptApp } from './keep-app'
import { keepPostgres, type KeptPostgres } from './keep-postgres'
import type { StormPlan } from './plan-storm'
import { type Courier, startCourier } from './start-courier'
import { type MailSink, startMailSink } from './start-mail-sink'
import { watchDatabase } from './watch-database'

export type TortureDrop = {
  id: number
  identifier: string
  seller: Seller
  productType: string
  maxPerBuyer: number | null
}

/** What a storm needs: two processes on one database, Stripe, the courier of its events, a mail server, people, drops. */
export type World = {
  plan: StormPlan
  recorder: Recorder
  apps: [KeptApp, KeptApp]
  proxies: { cut: () => void; mend: () => boolean }[]
  postgres: KeptPostgres
  stripe: StripeProcess
  /** The stand-in's own books, in a Postgres that nobody disturbs. */
  stripePool: pg.Pool
  courier: Courier
  mail: MailSink
  admin: Seller
  drops: TortureDrop[]
  cronSecret: string
  stop: () => Promise<void>
}

const SECRETS = {
  AUTH_SECRET: 'torture-auth-secret-0123456789-0123456789',
  CRON_SECRET: 'torture-cron-secret-0123456789-0123456789',
}
const STRIPE_DELAY_MS: [number, number] = [5, 40]
const READY_MS = 30_000

/** The hot drops. The first half belongs to one seller and the rest to another. */
const DROPS: readonly (DropFields & { quantity: string })[] = [
  { title: 'Hot mug', quantity: '60', price: '24.00' },
  { title: 'Hot file', quantity: '14', price: '9.99', productType: 'digital', maxPerBuyer: '2' },
  { title: 'Hot hour', quantity: '8', price: '50.00', productType: 'service' },
  { title: 'Hot song', quantity: '30', price: '3.00', productType: 'digital' },
  { title: 'Hot bowl', quantity: '5', price: '12.00' },
  { title: 'Hot plate', quantity: '10', price: '18.50', maxPerBuyer: '3' },
]

/** Starts everything on loopback, with temporary folders that `stop` removes. */
export async function startWorld(plan: StormPlan, recorder: Recorder): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-torture-'))
  const parts: { stop: () => unknown }[] = []
  const stop = async () => {
    for (const part of parts.reverse())
      await Promise.resolve(part.stop()).catch((error: unknown) => console.error(String(error)))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  const keep = <Part extends { stop: () => unknown }>(part: Part): Part => {
    parts.push(part)
    return part
  }
  try {
    for (const name of ['ours', 'stripe', 'data']) mkdirSync(path.join(folder, name, 'postgres'), { recursive: true })
    const postgres = keep(await keepPostgres(path.join(folder, 'ours')))
    const stripesPostgres = keep(
      await startEmbeddedPostgres({ folder: path.join(folder, 'stripe', 'postgres'), isTemporary: true }),
    )
    const mail = keep(await startMailSink(recorder))
    const [stripePort, firstPort, secondPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const urls = [firstPort, secondPort].map((port) => `http://127.0.0.1:${port}`)
    const courier = keep(await startCourier(recorder, urls, plan.fates))
    const stripe = keep(
      await startStripe({
        databaseUrl: stripesPostgres.databaseUrl,
        appUrl: courier.url,
        port: stripePort,
        delayMs: STRIPE_DELAY_MS,
        isQuiet: true,
      }),
    )
    const stripePool = new pg.Pool({ connectionString: stripe.databaseUrl, max: 3 })
    stripePool.on('error', () => {})
    keep({ stop: () => stripePool.end() })
    const proxies = [
      keep(await startDatabaseProxy(postgres.databaseUrl)),
      keep(await startDatabaseProxy(postgres.databaseUrl)),
    ]
    const start = (port: number, at: number) =>
      keepApp({
        port,
        dataDir: path.join(folder, 'data'),
        env: {
          ...SECRETS,
          ...stripeEnvironment(stripePort),
          // Both processes stand for one address, as behind a load balancer: what they tell Stripe must be the same.
          APP_URL: `http://localhost:${firstPort}`,
          DATABASE_URL: proxies[at]?.databaseUrl ?? '',
          SMTP_URL: mail.url,
          MAIL_FROM: 'Lastcall <no-reply@shop.example>',
          SEED_DEMO: '0',
          LOG_LEVEL: 'error',
        },
      })
    const apps: [KeptApp, KeptApp] = [keep(await start(firstPort, 0)), keep(await start(secondPort, 1))]
    const shop = {
      url: urls[0] ?? '',
      query: async (text: string, values: unknown[] = []) => (await postgres.pool.query(text, values)).rows,
    }
    const { admin, drops } = await openShops(shop, plan, stripe.url)
    await watchDatabase(postgres.pool)
    // Records the first state of each drop.
    await postgres.pool.query('UPDATE "Drop" SET "quantity" = "quantity"')
    return {
      plan,
      recorder,
      apps,
      proxies,
      postgres,
      stripe,
      stripePool,
      courier,
      mail,
      admin,
      drops,
      cronSecret: SECRETS.CRON_SECRET,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Signs people up, connects the sellers' payouts and publishes the drops, all over HTTP. */
async function openShops(shop: Shop, plan: StormPlan, stripeUrl: string) {
  const admin = await signUp(shop)
  await shop.query('UPDATE "User" SET "isAdmin" = true WHERE "id" = $1', [admin.id])
  // With Stripe's keys an administrator needs a second factor. It is enough here that the row says it was set up.
  await shop.query(
    `INSERT INTO "TotpCredential" ("userId", "secretEncrypted", "confirmedAt") VALUES ($1, 'never used here', now())`,
    [admin.id],
  )
  const drops: TortureDrop[] = []
  for (const half of [0, 1]) {
    const seller = await signUp(shop, { plan: 'pro' })
    await connectPayouts(shop, seller, stripeUrl)
    for (const fields of DROPS.slice(half * 3, half * 3 + 3)) {
      const isDigital = fields.productType === 'digital'
      const quantity = String(Math.ceil(Number(fields.quantity) * Math.max(1, plan.seconds / 60)))
      const file: DropFields = isDigital ? { digitalFileUrl: 'https://files.example/song.zip' } : {}
      const drop = await createDrop(shop, seller, { ...fields, ...file, quantity })
      const { id, identifier, productType, maxPerBuyer } = drop
      drops.push({ id, identifier, seller, productType, maxPerBuyer })
    }
  }
  return { admin, drops }
}

/** Takes a seller through Stripe's onboarding, and waits until the application knows that payouts can be sent. */
async function connectPayouts(shop: Shop, seller: Seller, stripeUrl: string): Promise<void> {
  const answer = await fetch(`${shop.url}/api/payouts/connect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: seller.cookie },
    body: JSON.stringify({ password: seller.password }),
  })
  const { url } = (await answer.json()) as { url?: string }
  if (!url?.startsWith(stripeUrl)) throw new Error(`payouts were not connected: ${answer.status}`)
  await fetch(url, { method: 'POST', body: new URLSearchParams({ step: 'finish' }), redirect: 'manual' })
  const deadline = Date.now() + READY_MS
  for (;;) {
    const [row] = await shop.query<{ payoutsState: string }>('SELECT "payoutsState" FROM "User" WHERE "id" = $1', [
      seller.id,
    ])
    if (row?.payoutsState === 'ready') return
    if (Date.now() > deadline) throw new Error('The payouts of a seller did not become ready.')
    await sleep(100)
  }
}
