import { checkUsername } from '@/lib/accounts/check-username'
import { createAccount } from '@/lib/accounts/create-account'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { signupSchema } from '@/lib/accounts/schema'
import { endSession } from '@/lib/accounts/end-session'
import { logIn } from '@/lib/accounts/log-in'
import { findProfileUser } from '@/lib/accounts/queries'
import { startSession } from '@/lib/accounts/start-session'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { makeSeller, strangeDevice, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const input = () => {
  const name = `u${newId('x').slice(2, 14).toLowerCase()}`
  return { firstName: 'Mira', lastName: '', username: name, email: `${name}@example.com`, password: 'speckled mug' }
}

it('creates a free account even when the request names another plan', async () => {
  const user = await createAccount(visitor(), { ...input(), plan: 'pro' })
  expect(user).toMatchObject({ plan: 'free', planIntent: 'pro', isAdmin: false })
  expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('takes the time zone of the browser if it is offered, and ignores any other', async () => {
  const zoneOf = async (timezone: string) =>
    (await createAccount(visitor(), signupSchema.parse({ ...input(), timezone }))).timezone
  expect([await zoneOf('Europe/Berlin'), await zoneOf('Asia/Kolkata'), await zoneOf('nonsense')]).toEqual([
    'Europe/Berlin',
    'UTC',
    'UTC',
  ])
})

it('gives a username to exactly one of twenty simultaneous sign-ups', async () => {
  const wanted = input()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      createAccount(visitor(), { ...wanted, email: `${index}.${wanted.email}` }),
    ),
  )
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'USERNAME_TAKEN', status: 409 })
  }
})

it('refuses a second account with the same email address', async () => {
  const first = input()
  await createAccount(visitor(), first)
  const second = createAccount(visitor(), { ...input(), email: first.email })
  await expect(second).rejects.toMatchObject({ code: 'EMAIL_TAKEN', field: 'email', status: 409 })
})

it('refuses the most common passwords', async () => {
  await expect(createAccount(visitor(), { ...input(), password: 'Password1' })).rejects.toMatchObject({
    code: 'PASSWORD_TOO_COMMON',
    field: 'password',
  })
})

it('logs in by username, by @username, and by email address in upper or lower case', async () => {
  const account = input()
  const user = await createAccount(visitor(), account)
  for (const typed of [account.username, `@${account.username}`, account.email, account.email.toUpperCase()]) {
    expect((await logIn(visitor(), { email: typed, password: account.password }, strangeDevice)).id).toBe(user.id)
  }
})

test.each(['wrong password', 'unknown account'])(
  'refuses a log-in with a message that does not reveal the reason: %s',
  async (what) => {
    const account = input()
    if (what === 'wrong password') await createAccount(visitor(), account)
    await expect(
      logIn(visitor(), { email: account.email, password: 'something else' }, strangeDevice),
    ).rejects.toMatchObject({
      code: 'INVALID_LOGIN',
      status: 401,
      message: 'Invalid email/username or password',
      field: undefined,
    })
  },
)

describe('sessions', () => {
  const start = async () => {
    const user = await makeSeller()
    return { user, secret: await startSession(visitor(), { userId: user.id, userAgent: 'phone' }) }
  }

  it('are found by their secret, which is not stored in the database', async () => {
    const { user, secret } = await start()
    expect(await findSessionActor(database(), secret)).toMatchObject({
      kind: 'user',
      userId: user.id,
      isSuspended: false,
    })
    expect(await db().session.findUnique({ where: { id: secret } })).toBeNull()
    expect(await findSessionActor(database(), 'somebody elses')).toBeNull()
  })

  it('have the current plan and suspension state of their user', async () => {
    const { user, secret } = await start()
    await db().user.update({ where: { id: user.id }, data: { plan: 'pro', isSuspended: true } })
    expect(await findSessionActor(database(), secret)).toMatchObject({ plan: 'pro', isSuspended: true })
    await db().user.update({ where: { id: user.id }, data: { suspendedUntil: new Date(Date.now() - 1) } })
    expect(await findSessionActor(database(), secret)).toMatchObject({ isSuspended: false })
  })

  it('end at log-out, when they expire, and when the account is deleted', async () => {
    const { secret } = await start()
    await endSession(visitor(), sha256(secret))
    expect(await findSessionActor(database(), secret)).toBeNull()

    const timed = await start()
    await db().session.update({ where: { id: sha256(timed.secret) }, data: { expiresAt: new Date(Date.now() - 1) } })
    expect(await findSessionActor(database(), timed.secret)).toBeNull()

    const deleted = await start()
    await db().user.update({ where: { id: deleted.user.id }, data: { deletedAt: new Date() } })
    expect(await findSessionActor(database(), deleted.secret)).toBeNull()
  })
})

describe('checking a username', () => {
  it('suggests up to three similar free names', async () => {
    const taken = await makeSeller({ username: input().username })
    const check = await checkUsername(database(), taken.username ?? '')
    expect(check).toMatchObject({ available: false, type: 'taken' })
    expect(check.suggestions.length).toBeGreaterThan(0)
    expect(check.suggestions.length).toBeLessThanOrEqual(3)
    for (const suggestion of check.suggestions)
      expect(await checkUsername(database(), suggestion)).toMatchObject({ available: true })
  })

  it('treats a reserved name as taken and a malformed one as an error', async () => {
    expect(await checkUsername(database(), 'admin')).toMatchObject({ available: false, type: 'taken' })
    expect(await checkUsername(database(), 'a b')).toMatchObject({ available: false, type: 'error', suggestions: [] })
  })

  it('refuses a name that ends with an underscore, and look-alikes of the platform', async () => {
    expect(await checkUsername(database(), 'mira_')).toEqual({
      available: false,
      message: 'Please end your username with a letter or a number.',
      suggestions: [],
      type: 'error',
    })
    for (const name of ['ad_min', 'lastcall_support', 'official_lastcall']) {
      expect(await checkUsername(database(), name)).toMatchObject({ available: false, type: 'taken', suggestions: [] })
    }
  })

  it('an account whose name ends with an underscore keeps it, and its profile is found', async () => {
    const username = `${input().username}_`
    const { id } = await makeSeller({ username })
    expect(await findProfileUser(database(), `@${username}`)).toMatchObject({ id, username })
  })

  it('treats a name that was given up recently as taken', async () => {
    const username = input().username
    const soon = new Date(Date.now() + 60_000)
    await db().reservedUsername.create({ data: { username, redirectsUntil: soon, reservedUntil: soon } })
    expect(await checkUsername(database(), username)).toMatchObject({ available: false })
    await expect(createAccount(visitor(), { ...input(), username })).rejects.toMatchObject({ code: 'USERNAME_TAKEN' })
  })
})
