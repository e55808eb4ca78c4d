// A stolen session does not become a stolen account (docs/product.md#proving-who-you-are).
import type { User } from '@prisma/client'
import { exportList } from '@/lib/admin/export-list'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { confirmTwoFactor } from '@/lib/accounts/confirm-two-factor'
import { logIn } from '@/lib/accounts/log-in'
import { resetPassword } from '@/lib/accounts/reset-password'
import { startSession } from '@/lib/accounts/start-session'
import { startTwoFactor } from '@/lib/accounts/start-two-factor'
import { updateAccount } from '@/lib/accounts/update-account'
import { updateProfile } from '@/lib/accounts/update-profile'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { actorOf, contextFor, makeSeller, strangeDevice, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const password = 'speckled mug'
const address = () => `${newId('n').toLowerCase()}@example.com`

/** A seller who signed in hours ago, with the session of somebody else beside it. */
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

it('asks for the password before a new address and before the payouts', async () => {
  const { user, ctx } = await signedIn()
  const email = address()
  const wanted = { code: 'PROOF_REQUIRED', status: 403, field: 'password' }
  await expect(updateProfile(ctx, { email })).rejects.toMatchObject(wanted)
  await expect(connectPayouts(ctx)).rejects.toMatchObject(wanted)
  await expect(updateProfile(ctx, { email, password: 'a guess' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await expect(connectPayouts(ctx, { password: 'a guess' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  expect(await db().token.count({ where: { userId: user.id } })).toBe(0)
  // Names need no proof.
  await updateProfile(ctx, { firstName: 'Ada', email: user.email })
  await updateProfile(ctx, { email, password })
  expect(await connectPayouts(ctx, { password })).toContain('/sandbox/connect/')
})

it('needs no password within ten minutes of a sign-in or a second factor', async () => {
  const { ctx } = await signedIn()
  const fresh = { ...ctx, actor: { ...ctx.actor, steppedUpAt: new Date() } }
  await updateProfile(fresh, { email: address() })
})

it('signs out the other devices when the address changes', async () => {
  const { ctx, sessionId, other, isOpen } = await signedIn()
  const email = address()
  await updateProfile(ctx, { email, password })
  expect(await isOpen(other)).toBe(true)
  await confirmEmail(ctx, { token: await linkTo(email, 'email-change') })
  expect([await isOpen(sessionId), await isOpen(other)]).toEqual([true, false])
})

test.each(['email-change-notice', 'email-changed'])(
  'the link in %s gives the account back to its owner',
  async (kind) => {
    const { user, ctx, sessionId, other, isOpen } = await signedIn()
    const stolen = address()
    await updateProfile(ctx, { email: stolen, password })
    await confirmEmail(ctx, { token: await linkTo(stolen, 'email-change') })
    // The thief goes on: another address and a second factor.
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

it('the link in the notice also stops a change that nobody has confirmed yet', async () => {
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

it('asks administrators for the second factor before exports and suspensions', async () => {
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
