import { changePassword } from '@/lib/accounts/change-password'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { logIn } from '@/lib/accounts/log-in'
import { noteNewLogin } from '@/lib/accounts/note-new-login'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { resetPassword } from '@/lib/accounts/reset-password'
import { createContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { sha256 } from '@/lib/infra/crypto'
import { hashPassword } from '@/lib/infra/password'
import { newSecret } from '@/lib/kernel/id'
import { actorOf, contextFor, makeSeller, strangeDevice, visitor, visitorFrom } from '@/tests/support/factories'

afterAll(closeDatabase)

let addressCount = 0
const from = visitorFrom
const freshIp = () => `10.9.0.${(addressCount += 1)}`

async function account() {
  const password = 'speckled mug'
  return { user: await makeSeller({ passwordHash: await hashPassword(password) }), password }
}

const outcomesOf = async (attempts: Promise<unknown>[]) => {
  const codes = (await Promise.allSettled(attempts)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'ok' : (outcome.reason as { code: string }).code,
  )
  return {
    wrong: codes.filter((code) => code === 'INVALID_LOGIN').length,
    limited: codes.filter((code) => code === 'TOO_MANY_REQUESTS').length,
  }
}

it('checks exactly five of 200 parallel guesses from one network address', async () => {
  const { user } = await account()
  const ctx = from(freshIp())
  const attempts = Array.from({ length: 200 }, () =>
    logIn(ctx, { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 5, limited: 195 })
})

it('counts all IPv6 addresses of one /64 network as one address', async () => {
  const { user } = await account()
  const attempts = Array.from({ length: 30 }, (_, at) =>
    logIn(from(`2001:db8:7:7:${at}::1`), { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 5, limited: 25 })
})

it('gives all networks of one IPv6 customer together four times the guesses of one network', async () => {
  const guess = (network: number, typed: string) =>
    logIn(from(`2001:db8:8:${network}::1`), { email: typed, password: 'wrong one' }, strangeDevice)
  const attempts = Array.from({ length: 250 }, (_, at) => guess(at % 10, `nobody-in-a-site-${at}`))
  expect(await outcomesOf(attempts)).toEqual({ wrong: 200, limited: 50 })
  const other = logIn(from('2001:db8:9:1::1'), { email: 'nobody-else', password: 'wrong one' }, strangeDevice)
  await expect(other).rejects.toMatchObject({ code: 'INVALID_LOGIN' })
})

it('checks at most twenty guesses an hour for one account from all network addresses together', async () => {
  const { user } = await account()
  const attempts = Array.from({ length: 40 }, () =>
    logIn(from(freshIp()), { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 20, limited: 20 })
})

it('counts guesses for unknown names like guesses for known names', async () => {
  const ctx = from(freshIp())
  const attempts = Array.from({ length: 10 }, () =>
    logIn(ctx, { email: `nobody${addressCount}`, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 5, limited: 5 })
})

it('does not count correct passwords', async () => {
  const { user, password } = await account()
  const ctx = from(freshIp())
  for (let time = 0; time < 8; time += 1) {
    expect((await logIn(ctx, { email: user.email, password }, strangeDevice)).id).toBe(user.id)
  }
})

it('says when to try again, and does not lock out a known device because of guesses by strangers', async () => {
  const { user, password } = await account()
  const attempts = Array.from({ length: 60 }, () =>
    logIn(from(freshIp()), { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 20, limited: 40 })
  const stranger = logIn(from(freshIp()), { email: user.email, password }, strangeDevice)
  await expect(stranger).rejects.toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) })
  const owner = logIn(from(freshIp()), { email: user.email, password }, { isKnownTo: (id) => id === user.id })
  await expect(owner).resolves.toMatchObject({ id: user.id })
})

it('does not reveal that a username and an email address belong to the same account', async () => {
  const { user } = await account()
  const ctx = from(freshIp())
  const guess = (email: string) =>
    logIn(ctx, { email, password: 'wrong one' }, strangeDevice).catch((error: { code: string }) => error.code)
  for (let at = 0; at < 5; at += 1) await guess(user.username ?? '')
  expect(await guess(user.username ?? '')).toBe('TOO_MANY_REQUESTS')
  expect(await guess(user.email)).toBe('INVALID_LOGIN')
  // After forty more guesses under both names, a wrong password for another account still gets the usual error.
  for (let at = 0; at < 40; at += 1) {
    const typed = at % 2 === 0 ? user.email : (user.username ?? '')
    await logIn(from(freshIp()), { email: typed, password: 'wrong one' }, strangeDevice).catch(() => undefined)
  }
  const other = await makeSeller()
  const wrong = await logIn(from(freshIp()), { email: other.email, password: 'x' }, strangeDevice).catch(
    (error) => error,
  )
  expect(wrong).toMatchObject({ code: 'INVALID_LOGIN', status: 401 })
})

it('lets the owner log in on a new device after a password reset by email', async () => {
  const { user } = await account()
  for (let at = 0; at < 40; at += 1) {
    await logIn(from(freshIp()), { email: user.email, password: 'wrong one' }, strangeDevice).catch(() => undefined)
  }
  const newPassword = 'a fresh speckled mug'
  await requestPasswordReset(visitor(), { email: user.email })
  const mail = await db().outboxMail.findFirstOrThrow({
    where: { to: user.email, dedupeKey: { startsWith: 'password-reset' } },
  })
  const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
  const ctx = from(freshIp())
  await expect(logIn(ctx, { email: user.email, password: newPassword }, strangeDevice)).rejects.toMatchObject({
    status: 429,
  })
  await resetPassword(ctx, { token, newPassword })
  expect((await logIn(ctx, { email: user.email, password: newPassword }, strangeDevice)).id).toBe(user.id)
})

it('an unconfirmed mailbox gets five emails about new logins in an hour, whatever account and tag they are about', async () => {
  const mailbox = `m${newSecret().slice(0, 12)}`.toLowerCase()
  const make = (tag: string, emailConfirmedAt: Date | null) =>
    makeSeller({ email: `${mailbox}${tag}@example.com`, emailConfirmedAt })
  const strangers = [await make('+one', null), await make('+two', null)]
  const owner = await make('', new Date())
  const signIn = (user: typeof owner) =>
    noteNewLogin(createContext({ actor: { kind: 'visitor' }, requestId: newSecret() }), user, 'a browser')
  const mailsTo = (to: string) => db().outboxMail.count({ where: { to } })
  for (let at = 0; at < 4; at += 1) for (const user of strangers) await signIn(user)
  expect((await mailsTo(strangers[0]!.email)) + (await mailsTo(strangers[1]!.email))).toBe(5)
  // These emails do not keep the owner of the mailbox from hearing of a login to the confirmed account.
  for (let at = 0; at < 8; at += 1) await signIn(owner)
  expect(await mailsTo(owner.email)).toBe(5)
})

describe('an administrator with a weak password', () => {
  const weak = 'shop2026 shop'
  const admin = async () => makeSeller({ isAdmin: true, passwordHash: await hashPassword(weak) })
  const live = () => ({ ...from(freshIp()), payments: 'live' as const, takesRealMoney: true })
  const refusal = { code: 'WEAK_ADMIN_PASSWORD', status: 403 }

  it('cannot sign in while the shop takes real money, and sellers can', async () => {
    const { email } = await admin()
    await expect(logIn(live(), { email, password: weak }, strangeDevice)).rejects.toMatchObject(refusal)
    await expect(logIn(live(), { email, password: 'wrong one' }, strangeDevice)).rejects.toMatchObject({
      code: 'INVALID_LOGIN',
    })
    // With test keys, payments go to Stripe too, but no real money is taken.
    const trial = { ...live(), takesRealMoney: false }
    expect(await logIn(trial, { email, password: weak }, strangeDevice)).toMatchObject({ email })
    const seller = await makeSeller({ passwordHash: await hashPassword(weak) })
    expect(await logIn(live(), { email: seller.email, password: weak }, strangeDevice)).toMatchObject({ id: seller.id })
  })

  it('cannot add a second factor with it in a session from before, and can replace it', async () => {
    const user = await admin()
    const session = { ...contextFor(actorOf(user)), takesRealMoney: true }
    await expect(startTwoFactor(session, { password: weak })).rejects.toMatchObject(refusal)
    await changePassword(session, { password: weak, newPassword: 'violet kettle borrows nine' })
    await expect(startTwoFactor(session, { password: 'violet kettle borrows nine' })).resolves.toBeDefined()
  })

  it('can set only a strong one with the emailed link', async () => {
    const { id, email } = await admin()
    const token = newSecret()
    const expiresAt = new Date(Date.now() + 60_000)
    await db().token.create({ data: { userId: id, purpose: 'passwordReset', tokenHash: sha256(token), expiresAt } })
    const reset = (newPassword: string) => resetPassword(live(), { token, newPassword })
    await expect(reset('shop2027 shop')).rejects.toMatchObject({ ...refusal, field: 'newPassword' })
    await reset('violet kettle borrows nine')
    expect(await logIn(live(), { email, password: 'violet kettle borrows nine' }, strangeDevice)).toMatchObject({ id })
  })
})
