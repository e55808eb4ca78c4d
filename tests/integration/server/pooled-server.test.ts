import { Client } from 'pg'
import { closeDatabase, db } from '@/lib/infra/db'
import { type App, startApp } from '@/tests/support/start-app.mjs'
import { makeDrop } from '@/tests/support/factories'
import { startPooler } from '@/tests/support/start-pooler.mjs'

// These tests call the built application over HTTP while it runs behind a pooler in transaction mode (ADR 0048).
const directUrl = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const secrets = {
  AUTH_SECRET: 'integration-tests-auth-secret-0123456789',
  CRON_SECRET: 'integration-tests-cron-secret-0123456789',
}
let pooler: Awaited<ReturnType<typeof startPooler>>
let app: App

beforeAll(async () => {
  pooler = await startPooler(directUrl)
  app = await startApp({ env: { DATABASE_URL: pooler.databaseUrl, DIRECT_DATABASE_URL: directUrl, ...secrets } })
}, 300_000)
afterAll(async () => {
  await app.stop()
  await closeDatabase()
  await pooler.stop()
})

const until = async (condition: () => Promise<boolean>) => {
  const deadline = Date.now() + 20_000
  while (!(await condition())) if (Date.now() > deadline) throw new Error('not within 20 s')
}

it('sells a drop, from its page to the paid order', async () => {
  const drop = await makeDrop({ quantity: 2 })
  const page = await fetch(`${app.url}/drop/${drop.uniqueId}`)
  expect([page.status, (await page.text()).includes(drop.title)]).toEqual([200, true])
  const session = await fetch(`${app.url}/api/checkout/create-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dropId: drop.id, quantity: 2 }),
  })
  expect(session.status).toBe(200)
  const { url } = (await session.json()) as { url: string }
  const paid = await fetch(`${url}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bea@example.com', cardNumber: '4242424242424242', name: 'Bea' }),
    redirect: 'manual',
  })
  expect(paid.status).toBe(303)
  // The webhook or the scheduler settles the order. The cache learns of the sale over its direct connection to the
  // database.
  await until(async () => (await db().order.count({ where: { dropId: drop.id, status: 'paid' } })) === 1)
  await until(async () => {
    const answer = await fetch(`${app.url}/api/drop/${drop.uniqueId}`)
    return ((await answer.json()) as { state: string }).state === 'soldOut'
  })
})

it('returns 503 after the kill switch is turned on, and opens again after it is turned off', async () => {
  const client = new Client(directUrl)
  await client.connect()
  await client.query('UPDATE "PlatformSettings" SET "isActive" = false')
  await until(async () => (await fetch(`${app.url}/signup`)).status === 503)
  await client.query('UPDATE "PlatformSettings" SET "isActive" = true')
  await until(async () => (await fetch(`${app.url}/signup`)).status === 200)
  await client.end()
})

it('runs its jobs under leases, and releases them when it stops', async () => {
  const holders = async () => (await db().jobLease.findMany()).map(({ name }) => name).sort()
  await until(async () => (await holders()).join() === 'archive,followers,waitlist,yield')
  await app.stop()
  expect(await holders()).toEqual([])
  expect(app.output()).not.toMatch(/prepared statement|unsupported startup/)
})
