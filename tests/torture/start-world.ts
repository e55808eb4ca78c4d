import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '@/scripts/ports.mjs'
import { startEmbeddedPostgres } from '@/scripts/postgres/start-embedded-postgres.mjs'
import { startDatabaseProxy } from '../support/start-database-proxy'
import { createDrop, postJson, type Seller, type Shop, signUp } from '../support/e2e'
import { startStripe, stripeEnvironment, type StripeProcess } from '../support/start-stripe.mjs'
import type { Recorder } from './create-recorder'
import { type CodeFields, DROP_KINDS, type DropKind, fieldsFor } from './drop-kinds'
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
  kind: DropKind
  /** The names of the discount codes that the drop has or had. */
  codes: string[]
}

/**
 * Everything that a storm needs: two processes of the application on one database, the stand-in for Stripe, the courier
 * that forwards its events, a mail server, users and drops.
 */
export type World = {
  plan: StormPlan
  recorder: Recorder
  apps: [KeptApp, KeptApp]
  proxies: { cut: () => void; mend: () => void }[]
  postgres: KeptPostgres
  stripe: StripeProcess
  /** Connections to the stand-in's own database, which is in a Postgres without faults. */
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
/** A seller on the Pro plan can have this many drops at a time. */
const DROPS_PER_SELLER = 3
const FOLLOWERS = 9
/** Early access begins an hour before the start of its drop, and the links are emailed some minutes before that. */
const MINUTES_BEFORE_LINKS_WORK = 65

/**
 * Starts everything on loopback, with temporary folders that `stop` removes. If a part does not start, stops all
 * others.
 */
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
          // Both processes have the same public URL, as behind a load balancer. Stripe sends buyers back to it.
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
    // This statement makes the trigger record the first state of each drop.
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

/**
 * Signs up the users, connects the sellers' payouts and publishes the drops over HTTP. SQL statements set the plans of
 * the sellers, and the role and the second factor of the administrator.
 */
async function openShops(shop: Shop, plan: StormPlan, stripeUrl: string) {
  const admin = await signUp(shop)
  await shop.query('UPDATE "User" SET "isAdmin" = true WHERE "id" = $1', [admin.id])
  // With Stripe's keys an administrator needs a second factor. This row marks it as set up, which is enough here.
  await shop.query(
    `INSERT INTO "TotpCredential" ("userId", "secretEncrypted", "confirmedAt") VALUES ($1, 'never used here', now())`,
    [admin.id],
  )
  const drops: TortureDrop[] = []
  for (let first = 0; first < DROP_KINDS.length; first += DROPS_PER_SELLER) {
    const seller = await signUp(shop, { plan: 'pro' })
    await connectPayouts(shop, seller, stripeUrl)
    for (const kind of DROP_KINDS.slice(first, first + DROPS_PER_SELLER)) {
      const { id, identifier, productType, maxPerBuyer } = await createDrop(
        shop,
        seller,
        fieldsFor(kind, Math.max(1, plan.seconds / 60)),
      )
      for (const code of kind.codes ?? []) await addCode(shop, seller, id, code)
      const codes = (kind.codes ?? []).map(({ code }) => code)
      drops.push({ id, identifier, seller, productType, maxPerBuyer, kind, codes })
      if (kind.fields.earlyUnits) await announceEarlyAccess(shop, id, seller.id)
    }
  }
  return { admin, drops }
}

async function addCode(shop: Shop, seller: Seller, dropId: number, code: CodeFields): Promise<void> {
  const made = await postJson(`${shop.url}/api/drops/${dropId}/codes`, code, { cookie: seller.cookie })
  if (made.status !== 201) throw new Error(`the code was refused: ${made.status} ${await made.text()}`)
}

/**
 * Adds followers of a seller, and moves the start of the drop so close to now that the application emails the links.
 * Early access opens later, in openEarly() of clock-verbs.ts.
 */
async function announceEarlyAccess(shop: Shop, dropId: number, sellerId: number): Promise<void> {
  await shop.query(
    `INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
     SELECT $1, 'follower' || n || '@example.com', 'follower' || n || '@example.com', 'torture-' || n, now(), '/', 'Yes'
       FROM generate_series(1, $2::int) n`,
    [sellerId, FOLLOWERS],
  )
  await moveStart((text, values) => shop.query(text, values), dropId, MINUTES_BEFORE_LINKS_WORK)
}

/** Moves the start and the end of a scheduled drop, so that it starts in this many minutes. */
export async function moveStart(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  dropId: number,
  minutes: number,
): Promise<void> {
  await query(
    `WITH moved AS (
       UPDATE "Drop" SET "startedAt" = now() + make_interval(mins => $2),
              "endTime" = now() + make_interval(mins => $2) + make_interval(hours => "duration")
        WHERE "id" = $1 RETURNING "id", "run", "startedAt", "endTime")
     UPDATE "DropRun" r SET "startedAt" = moved."startedAt", "endTime" = moved."endTime" FROM moved
      WHERE r."dropId" = moved."id" AND r."run" = moved."run"`,
    [dropId, minutes],
  )
}

/** Completes Stripe's onboarding for a seller, and waits until the application can send payouts to the seller. */
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
