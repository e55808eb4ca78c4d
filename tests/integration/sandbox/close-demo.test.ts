import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword, verifyPassword } from '@/lib/infra/password'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { demoAdmin, demoPassword, demoSellers } from '@/prisma/seed/demo-data'
import { prepareApplication } from '@/prisma/seed/prepare'
import { makeSeller } from '@/tests/support/factories'
import { startAgainWith } from '@/tests/support/start-again-with'

afterAll(closeDatabase)

const demo = [demoAdmin, ...demoSellers].map(({ email }) => email)
const accounts = () => db().user.findMany({ where: { email: { in: demo } }, include: { sessions: true } })
const shownDrops = () => db().drop.count({ where: { hiddenAt: null, user: { email: { in: demo } } } })

// Creating the demo draws pictures and hashes passwords, which takes a while on a busy machine.
jest.setTimeout(300_000)

// These tests run in order, because each of them continues with the installation that the previous test left behind.
it('a first start with ADMIN_EMAIL creates the demo and the administrator', async () => {
  startAgainWith({ SEED_DEMO: '1', ADMIN_EMAIL: 'boss@corp.example', ADMIN_PASSWORD: 'the operator’s own' })
  await prepareApplication()
  expect(await accounts()).toHaveLength(demo.length)
  expect(await db().user.findUniqueOrThrow({ where: { email: 'boss@corp.example' } })).toMatchObject({ isAdmin: true })
  const admin = await db().user.findUniqueOrThrow({ where: { email: demoAdmin.email } })
  expect(await verifyPassword(admin.passwordHash, demoPassword)).toBe(true)
})

it('another start on the same machine leaves the demo as it is', async () => {
  startAgainWith({ SEED_DEMO: '1' })
  const before = await accounts()
  await prepareApplication()
  expect(await accounts()).toEqual(before)
})

it.each([
  ['a public origin', { APP_URL: 'https://drops.example', NEXTAUTH_URL: '', SEED_DEMO: '1' }],
  ['a HOST that others can reach', { HOST: '0.0.0.0' }],
])('%s closes the demo, so that it has no working login, no session and no visible drop', async (_name, variables) => {
  await reopen()
  expect(await shownDrops()).toBeGreaterThan(5)
  const userId = (await accounts())[0]!.id
  await db().session.create({ data: { id: newSecret(), userId, expiresAt: new Date(Date.now() + DAY_MS) } })
  const bystander = await makeSeller()
  startAgainWith({ APP_URL: 'http://localhost:3000', SEED_DEMO: '0', ...variables })
  await prepareApplication()
  for (const account of await accounts()) {
    expect(account).toMatchObject({ isAdmin: false, isSuspended: true })
    expect(await verifyPassword(account.passwordHash, demoPassword)).toBe(false)
    expect(account.sessions.filter(({ revokedAt }) => revokedAt === null)).toEqual([])
  }
  expect(await shownDrops()).toBe(0)
  expect(await db().user.findUniqueOrThrow({ where: { id: bystander.id } })).toEqual(bystander)
})

it('a public installation with live keys also closes a demo whose passwords were changed', async () => {
  await reopen('another password of theirs')
  startAgainWith({
    APP_URL: 'https://drops.example',
    NEXTAUTH_URL: '',
    ADMIN_EMAIL: 'boss@corp.example',
    STRIPE_SECRET_KEY: 'sk_live_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_nobody_connect',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_nobody',
    MAIL_FROM: 'Drops <drops@shop.example>',
    ADMIN_PASSWORD: 'kT9-wool-carp-47',
    SEED_DEMO: '0',
  })
  await prepareApplication()
  expect((await accounts()).every(({ isSuspended }) => isSuspended)).toBe(true)
  expect(await shownDrops()).toBe(0)
})

it('a public installation closes an administrator who changed address and name, but kept the published password', async () => {
  const renamed = await makeSeller({ isAdmin: true, passwordHash: await hashPassword(demoPassword) })
  const careful = await makeSeller({ isAdmin: true, passwordHash: await hashPassword('another password of theirs') })
  startAgainWith({ HOST: '0.0.0.0', SEED_DEMO: '0' })
  await prepareApplication()
  expect(await db().user.findUniqueOrThrow({ where: { id: renamed.id } })).toMatchObject({
    ...{ isAdmin: false, isSuspended: true, passwordHash: '' },
  })
  expect(await db().user.findUniqueOrThrow({ where: { id: careful.id } })).toEqual(careful)
})

/** Opens the demo again, with this password for all its accounts. */
async function reopen(password = demoPassword): Promise<void> {
  const data = { isSuspended: false, suspensionReason: null, passwordHash: await hashPassword(password) }
  await db().user.updateMany({ where: { email: { in: demo } }, data })
  await db().drop.updateMany({ where: { user: { email: { in: demo } } }, data: { hiddenAt: null } })
}
