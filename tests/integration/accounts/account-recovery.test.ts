// Checks that a thief cannot take over an account with a stolen session, and that administrators need a recent second
// factor for harmful actions (docs/product.md#proving-who-you-are).
import type { User } from '@prisma/client'
import { exportList } from '@/lib/admin/export-list'
import { removeDrop } from '@/lib/admin/remove-drop'
import { togglePlatform } from '@/lib/admin/toggle-platform'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { createAccount } from '@/lib/accounts/create-account'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { logIn } from '@/lib/accounts/log-in'
import { resetPassword } from '@/lib/accounts/reset-password'
import { startSession } from '@/lib/accounts/start-session'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { stepUpWithPassword } from '@/lib/accounts/step-up'
import { updateAccount } from '@/lib/accounts/update-account'
import { updateProfile } from '@/lib/accounts/update-profile'
import { removeAccount } from '@/lib/closure/remove-account'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { actorOf, contextFor, makeDrop, makeSeller, strangeDevice, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const password = 'speckled mug'
const address = () => `${newId('n').toLowerCase()}@example.com`

/**
 * Makes a seller with two open sessions. `ctx` acts in the first session, in which the seller last entered the password
 * or a code an hour ago.
 */
async function signedIn(overrides: Partial<User> = {}) {
  const user = await makeSeller({ passwordHash: await hashPassword(password), ...overrides })
  const open = async () => sha256(await startSession(visitor(), { userId: user.id, userAgent: 'a browser' }))
  const [sessionId, other] = [await open(), await open()]
  const steppedUpAt = new Date(Date.now() - HOUR_MS)
  const ctx: Context<UserActor> = contextFor({ ...actorOf(user), sessionId, steppedUpAt })
  const isOpen = async (id: string) => (await db().session.findUniqueOrThrow({ where: { id } })).revokedAt === null
  return { user, ctx, sessionId, other, isOpen }
}

async function linkTo(email: string, kind: string): Promise<string> {
  const mail = await db().outboxMail.findFirstOrThrow({
    where: { to: email, dedupeKey: { startsWith: `${kind}:` } },
    orderBy: { id: 'desc' },
  })
  return /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
}

it('asks for the password before the email address is changed and before payouts are connected', async () => {
  const { user, ctx } = await signedIn()
  const email = address()
  const wanted = { code: 'PROOF_REQUIRED', status: 403, field: 'password' }
  await expect(updateProfile(ctx, { email })).rejects.toMatchObject(wanted)
  await expect(connectPayouts(ctx)).rejects.toMatchObject(wanted)
  await expect(updateProfile(ctx, { email, password: 'a guess' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await expect(connectPayouts(ctx, { password: 'a guess' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  expect(await db().token.count({ where: { userId: user.id } })).toBe(0)
  // Changing a name needs no password.
  await updateProfile(ctx, { firstName: 'Ada', email: user.email })
  await updateProfile(ctx, { email, password })
  expect(await connectPayouts(ctx, { password })).toContain('/sandbox/connect/')
})

it('needs no password within ten minutes of a sign-in or a second factor', async () => {
  const { ctx } = await signedIn()
  const fresh = { ...ctx, actor: { ...ctx.actor, steppedUpAt: new Date() } }
  await updateProfile(fresh, { email: address() })
})

it('signs out the other devices when a new email address is confirmed', async () => {
  const { ctx, sessionId, other, isOpen } = await signedIn()
  const email = address()
  await updateProfile(ctx, { email, password })
  expect(await isOpen(other)).toBe(true)
  await confirmEmail(ctx, { token: await linkTo(email, 'email-change') })
  expect([await isOpen(sessionId), await isOpen(other)]).toEqual([true, false])
})

test.each(['email-change-notice', 'email-changed'])(
  'the link in the email %s returns the account to its owner',
  async (kind) => {
    const { user, ctx, sessionId, other, isOpen } = await signedIn()
    const stolen = address()
    await updateProfile(ctx, { email: stolen, password })
    await confirmEmail(ctx, { token: await linkTo(stolen, 'email-change') })
    // The thief then changes the email address again and sets up a second factor.
    const again = address()
    await updateProfile(ctx, { email: again, password })
    await confirmEmail(ctx, { token: await linkTo(again, 'email-change') })
    await startTwoFactor(ctx, { password })
    await db().totpCredential.update({ where: { userId: user.id }, data: { confirmedAt: new Date() } })

    const token = await linkTo(user.email, kind)
    expect(await confirmEmail(visitor(), { token })).toBe(user.email)
    await expect(confirmEmail(visitor(), { token })).rejects.toMatchObject({ code: 'CONFIRM_LINK_INVALID' })
    expect(await db().user.findUnique({ where: { id: user.id } })).toMatchObject({ email: user.email })
    expect(await db().totpCredential.count({ where: { userId: user.id } })).toBe(0)
    expect([await isOpen(sessionId), await isOpen(other)]).toEqual([false, false])
    await expect(logIn(visitor(), { email: user.email, password }, strangeDevice)).rejects.toMatchObject({
      status: 401,
    })
    const newPassword = 'a fresh speckled mug'
    await resetPassword(visitor(), { token: await linkTo(user.email, 'password-reset'), newPassword })
    expect((await logIn(visitor(), { email: user.email, password: newPassword }, strangeDevice)).id).toBe(user.id)
  },
)

it('a thief who opens the link sent to the new address does not invalidate the link sent to the owner earlier', async () => {
  const { user, ctx } = await signedIn()
  const [stolen, again] = [address(), address()]
  await updateProfile(ctx, { email: stolen, password })
  await confirmEmail(ctx, { token: await linkTo(stolen, 'email-change') })
  // A second change sends a link of this kind to the address of the thief.
  await updateProfile(ctx, { email: again, password })
  await confirmEmail(visitor(), { token: await linkTo(stolen, 'email-change-notice') })
  expect(await db().user.findUnique({ where: { id: user.id } })).toMatchObject({ email: stolen })
  expect(await confirmEmail(visitor(), { token: await linkTo(user.email, 'email-change-notice') })).toBe(user.email)
  expect(await db().user.findUnique({ where: { id: user.id } })).toMatchObject({ email: user.email })
})

it('keeps the old email address for its owner while the link works', async () => {
  const { user, ctx } = await signedIn()
  await db().user.update({ where: { id: user.id }, data: { emailConfirmedAt: new Date() } })
  const stolen = address()
  await updateProfile(ctx, { email: stolen, password })
  await confirmEmail(ctx, { token: await linkTo(stolen, 'email-change') })
  const names = { firstName: 'Sue', lastName: 'Squatter', username: newId('s').toLowerCase().slice(0, 15) }
  const signup = { ...names, email: user.email, password: 'another speckled mug' }
  await expect(createAccount(visitor(), signup)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  const other = await signedIn()
  await expect(updateProfile(other.ctx, { email: user.email, password })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  expect(await confirmEmail(visitor(), { token: await linkTo(user.email, 'email-changed') })).toBe(user.email)
})

it('does not keep an address that the account never confirmed', async () => {
  const { user, ctx } = await signedIn()
  await db().user.update({ where: { id: user.id }, data: { emailConfirmedAt: null } })
  const own = address()
  await updateProfile(ctx, { email: own, password })
  await confirmEmail(ctx, { token: await linkTo(own, 'email-change') })
  const names = { firstName: 'Vera', lastName: 'Victim', username: newId('v').toLowerCase().slice(0, 15) }
  const victim = await createAccount(visitor(), { ...names, email: user.email, password: 'another speckled mug' })
  expect(victim.email).toBe(user.email)
})

it('the link in the notice deletes the recovery codes, which a thief may have renewed', async () => {
  const { user, ctx } = await signedIn()
  await updateProfile(ctx, { email: address(), password })
  await db().recoveryCode.create({ data: { userId: user.id, codeHash: newId('code') } })
  await confirmEmail(visitor(), { token: await linkTo(user.email, 'email-change-notice') })
  expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(0)
})

it('cancels an unconfirmed change of the email address when the link in the notice is opened', async () => {
  const { user, ctx } = await signedIn()
  const email = address()
  await updateProfile(ctx, { email, password })
  await confirmEmail(visitor(), { token: await linkTo(user.email, 'email-change-notice') })
  const late = confirmEmail(visitor(), { token: await linkTo(email, 'email-change') })
  await expect(late).rejects.toMatchObject({ code: 'CONFIRM_LINK_INVALID' })
})

it('checks at most ten codes in a quarter of an hour while a second factor is being set up', async () => {
  const { ctx } = await signedIn()
  await startTwoFactor(ctx, { password })
  const outcomes: string[] = []
  for (let at = 0; at < 12; at += 1) {
    await confirmTwoFactor(ctx, { code: '000000' }).catch((error: { code: string }) => outcomes.push(error.code))
  }
  expect(outcomes.slice(-2)).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
})

it('asks administrators for a recent second factor before exports and suspensions', async () => {
  const { ctx } = await signedIn({ isAdmin: true })
  const admin = { ...ctx, actor: { ...ctx.actor, isAdmin: true, hasTwoFactor: true } }
  const seller = await makeSeller()
  const wanted = { code: 'STEP_UP_REQUIRED', status: 403 }
  await expect(updateAccount(admin, seller.id, { isSuspended: true })).rejects.toMatchObject(wanted)
  await expect(exportList(admin, 'users')).rejects.toMatchObject(wanted)
  const fresh = { ...admin, actor: { ...admin.actor, steppedUpAt: new Date() } }
  await updateAccount(fresh, seller.id, { isSuspended: true })
  await (await exportList(fresh, 'users')).cancel()
})

describe('an administrator without a second factor', () => {
  /** `ctx` acts on an installation that others can reach, with a sign-in that is an hour old. */
  async function exposedAdmin() {
    const signed = await signedIn({ isAdmin: true })
    const ctx: Context<UserActor> = { ...signed.ctx, isExposed: true }
    return { ...signed, ctx: { ...ctx, actor: { ...ctx.actor, isAdmin: true } } }
  }

  it('needs a recent sign-in for harmful actions where others can reach the installation', async () => {
    const { ctx } = await exposedAdmin()
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    const wanted = { code: 'STEP_UP_REQUIRED', status: 403, message: expect.stringContaining('password') as string }
    for (const act of [
      () => exportList(ctx, 'users'),
      () => updateAccount(ctx, seller.id, { isSuspended: true }),
      () => removeAccount(ctx, seller.id),
      () => removeDrop(ctx, drop.id),
      () => togglePlatform(ctx, { isActive: false }),
    ]) {
      await expect(act()).rejects.toMatchObject(wanted)
    }
    expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({
      isSuspended: false,
      deletedAt: null,
    })
    await (await exportList({ ...ctx, isExposed: false }, 'users')).cancel()
    const fresh = { ...ctx, actor: { ...ctx.actor, steppedUpAt: new Date() } }
    await updateAccount(fresh, seller.id, { isSuspended: true })
  })

  it('can enter the password instead, which counts for ten minutes in this session only', async () => {
    const { ctx, sessionId, other } = await exposedAdmin()
    const provedAt = async (id: string) => (await db().session.findUniqueOrThrow({ where: { id } })).stepUpAt
    const [before, ofOther] = [await provedAt(sessionId), await provedAt(other)]
    await expect(stepUpWithPassword(ctx, { password: 'a guess' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
    expect(await provedAt(sessionId)).toEqual(before)
    await stepUpWithPassword(ctx, { password })
    expect((await provedAt(sessionId))!.getTime()).toBeGreaterThan(before?.getTime() ?? 0)
    expect(await provedAt(other)).toEqual(ofOther)
  })

  it('cannot enter the password in place of a second factor', async () => {
    const { user, ctx, sessionId } = await exposedAdmin()
    await startTwoFactor(ctx, { password })
    await db().totpCredential.update({ where: { userId: user.id }, data: { confirmedAt: new Date() } })
    await db().session.update({ where: { id: sessionId }, data: { stepUpAt: null } })
    await expect(stepUpWithPassword(ctx, { password })).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
    expect((await db().session.findUniqueOrThrow({ where: { id: sessionId } })).stepUpAt).toBeNull()
  })
})
