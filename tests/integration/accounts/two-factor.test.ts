import { generateSync } from 'otplib'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { finishLogin, passwordMark } from '@/lib/accounts/finish-login'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { hasTwoFactor } from '@/lib/accounts/queries'
import { renewRecoveryCodes } from '@/lib/accounts/two-factor/renew-recovery-codes'
import { startSession } from '@/lib/accounts/start-session'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { stepUp } from '@/lib/accounts/step-up'
import { removeAuthenticatorApp } from '@/lib/accounts/two-factor/remove-authenticator-app'
import { hashPassword } from '@/lib/infra/password'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { contextFor, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

/** Returns a clock that a test can move forward, because codes change every 30 seconds. */
function clockFrom(start: Date) {
  let at = start.getTime()
  return { now: () => new Date(at), pass: (ms: number) => void (at += ms) }
}

const password = 'speckled mug'
const makeOwner = async () => makeSeller({ passwordHash: await hashPassword(password) })

async function withTwoFactor() {
  const user = await makeOwner()
  const secrets = [await session(user.id), await session(user.id)] as const
  const clock = clockFrom(new Date())
  const context = async () => {
    const actor = await findSessionActor(database(), secrets[0])
    if (!actor) throw new Error('the session has ended')
    return { ...contextFor(actor), clock }
  }
  const { secret } = await startTwoFactor(await context(), { password })
  const code = () => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / SECOND_MS) })
  const recoveryCodes = await confirmTwoFactor(await context(), { code: code() })
  clock.pass(30 * SECOND_MS)
  return { user, secret, secrets, clock, context, code, recoveryCodes }
}

const session = (userId: number) => startSession(visitor(), { userId, userAgent: 'phone' })

it('turning two-factor sign-in on ends other sessions, emails the owner and stores no plaintext secret', async () => {
  const { user, secret, secrets, context, recoveryCodes } = await withTwoFactor()
  expect(recoveryCodes).toHaveLength(10)
  expect(await hasTwoFactor(visitor(), user.id)).toBe(true)
  expect((await context()).actor).toMatchObject({ hasTwoFactor: true, steppedUpAt: expect.any(Date) })
  expect(await findSessionActor(database(), secrets[1])).toBeNull()
  const stored = JSON.stringify([
    await db().totpCredential.findMany({ where: { userId: user.id } }),
    await db().recoveryCode.findMany({ where: { userId: user.id } }),
  ])
  for (const hidden of [secret, ...recoveryCodes]) expect(stored).not.toContain(hidden)
  expect(await db().outboxMail.findFirst({ where: { to: user.email } })).toMatchObject({
    subject: 'Two-factor authentication is on',
  })
})

describe('the link in the email about a change of two-factor sign-in', () => {
  const linkTo = async (to: string, subject: string) => {
    const { text } = await db().outboxMail.findFirstOrThrow({ where: { to, subject } })
    return /confirm-email\?token=([\w-]+)/.exec(text)?.[1] ?? ''
  }

  it('removes the app of an intruder, ends the sessions, invalidates the password, and works once', async () => {
    const { user, secrets } = await withTwoFactor()
    const token = await linkTo(user.email, 'Two-factor authentication is on')
    await confirmEmail(visitor(), { token })
    expect(await hasTwoFactor(visitor(), user.id)).toBe(false)
    expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(0)
    expect(await findSessionActor(database(), secrets[0])).toBeNull()
    expect((await db().user.findUniqueOrThrow({ where: { id: user.id } })).passwordHash).toMatch(/^taken back/)
    await expect(confirmEmail(visitor(), { token })).rejects.toMatchObject({ code: 'CONFIRM_LINK_INVALID' })
  })

  it('removes the app of an intruder who has turned two-factor sign-in off and then set up a new app', async () => {
    const { user, clock, context, code } = await withTwoFactor()
    await removeAuthenticatorApp(await context(), { code: code() })
    const token = await linkTo(user.email, 'Two-factor authentication is off')
    const { secret } = await startTwoFactor(await context(), { password })
    clock.pass(60 * SECOND_MS)
    const first = generateSync({ secret, epoch: Math.floor(clock.now().getTime() / SECOND_MS) })
    await confirmTwoFactor(await context(), { code: first })
    await confirmEmail(visitor(), { token })
    expect(await hasTwoFactor(visitor(), user.id)).toBe(false)
  })
})

it('two-factor sign-in stays off until a correct code is entered', async () => {
  const user = await makeOwner()
  const actor = await findSessionActor(database(), await session(user.id))
  const ctx = contextFor(actor!)
  await expect(confirmTwoFactor(ctx, { code: '123456' })).rejects.toMatchObject({ code: 'TWO_FACTOR_IS_OFF' })
  await startTwoFactor(ctx, { password })
  await expect(confirmTwoFactor(ctx, { code: 'abcdef' })).rejects.toMatchObject({ code: 'WRONG_CODE', field: 'code' })
  expect(await hasTwoFactor(ctx, user.id)).toBe(false)
})

it('two-factor sign-in cannot be set up without the password', async () => {
  const user = await makeOwner()
  const ctx = contextFor((await findSessionActor(database(), await session(user.id)))!)
  await expect(startTwoFactor(ctx, { password: 'a guess' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  expect(await db().totpCredential.count({ where: { userId: user.id } })).toBe(0)
})

it('two-factor sign-in cannot be set up again while it is on', async () => {
  const { context } = await withTwoFactor()
  await expect(startTwoFactor(await context(), { password })).rejects.toMatchObject({
    code: 'TWO_FACTOR_IS_ON',
    status: 409,
  })
})

describe('logging in', () => {
  const finish = (user: { id: number; passwordHash: string }, code: string, now = visitor().clock) =>
    finishLogin({ ...visitor(), clock: now }, { userId: user.id, mark: passwordMark(user), code, isKnownDevice: false })

  it('accepts a code once, even in simultaneous requests', async () => {
    const { user, clock, code } = await withTwoFactor()
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => finish(user, code(), clock)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('accepts a recovery code once, even in simultaneous requests', async () => {
    const { user, recoveryCodes } = await withTwoFactor()
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => finish(user, recoveryCodes[3] ?? '')))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('refuses an old code and the recovery code of another user', async () => {
    const { user, clock, code } = await withTwoFactor()
    const other = await withTwoFactor()
    const old = code()
    clock.pass(3 * MINUTE_MS)
    await expect(finish(user, old, clock)).rejects.toMatchObject({ code: 'WRONG_CODE' })
    await expect(finish(user, other.recoveryCodes[0] ?? '')).rejects.toMatchObject({ code: 'WRONG_CODE' })
  })

  it('checks only five wrong codes, then refuses even the right one, except from a known device', async () => {
    const { user, clock, code } = await withTwoFactor()
    const tries = await Promise.allSettled(Array.from({ length: 30 }, () => finish(user, 'zzzzzz', clock)))
    const codes = tries.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'in'))
    expect(codes.filter((reason) => reason === 'WRONG_CODE')).toHaveLength(5)
    await expect(finish(user, code(), clock)).rejects.toMatchObject({ status: 429 })
    // A device that is known to the account has its own limit.
    const known = { userId: user.id, mark: passwordMark(user), code: code(), isKnownDevice: true }
    await expect(finishLogin({ ...visitor(), clock }, known)).resolves.toMatchObject({ id: user.id })
  })

  it('refuses the second step if the password has changed since the first', async () => {
    const { user, code, clock } = await withTwoFactor()
    await db().user.update({ where: { id: user.id }, data: { passwordHash: 'another' } })
    await expect(finish(user, code(), clock)).rejects.toMatchObject({ code: 'SECOND_STEP_EXPIRED', status: 401 })
  })
})

it('requires a code from the last ten minutes before a destructive action', async () => {
  const { clock, context, code } = await withTwoFactor()
  const fresh = await context()
  expect(() => assertSteppedUp(fresh)).not.toThrow()
  clock.pass(11 * MINUTE_MS)
  expect(() => assertSteppedUp(fresh)).toThrow(expect.objectContaining({ code: 'STEP_UP_REQUIRED', status: 403 }))
  await stepUp(fresh, { code: code() })
  const again = await context()
  expect(() => assertSteppedUp(again)).not.toThrow()
})

it('new recovery codes send the owner an email with a link that ends them and gives the account back', async () => {
  const { user, secrets, context, code } = await withTwoFactor()
  const [renewed] = await renewRecoveryCodes(await context(), { code: code() })
  const subject = 'You have new recovery codes'
  const mail = await db().outboxMail.findFirstOrThrow({ where: { to: user.email, subject } })
  expect(mail).toMatchObject({ isUrgent: true, text: expect.not.stringContaining(renewed ?? '') as string })
  const token = /confirm-email\?token=([\w-]+)&for=undo/.exec(mail.text)?.[1] ?? ''
  expect(await confirmEmail(visitor(), { token })).toBe(user.email)
  expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(0)
  expect(await findSessionActor(database(), secrets[0])).toBeNull()
  // The app is older than the link, so it remains the owner's second factor.
  expect(await hasTwoFactor(visitor(), user.id)).toBe(true)
})

it('counts new recovery codes as changes of the second factor, of which ten are allowed per hour', async () => {
  const { context, code, clock } = await withTwoFactor()
  for (let count = 0; count < 9; count += 1) {
    await renewRecoveryCodes(await context(), { code: code() })
    clock.pass(30 * SECOND_MS)
  }
  await expect(renewRecoveryCodes(await context(), { code: code() })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    status: 429,
  })
})

it('replaces the recovery codes after a correct code', async () => {
  const { context, code, recoveryCodes, clock } = await withTwoFactor()
  const renewed = await renewRecoveryCodes(await context(), { code: code() })
  expect(renewed).toHaveLength(10)
  clock.pass(30 * SECOND_MS)
  await expect(removeAuthenticatorApp(await context(), { code: recoveryCodes[0] ?? '' })).rejects.toMatchObject({
    code: 'WRONG_CODE',
  })
  await removeAuthenticatorApp(await context(), { code: renewed[0] ?? '' })
  expect((await context()).actor.hasTwoFactor).toBe(false)
})
