import { generateSync } from 'otplib'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { addPasskey } from '@/lib/accounts/passkeys/add-passkey'
import { changePassword } from '@/lib/accounts/change-password'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { endSession } from '@/lib/accounts/end-session'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { finishLogin, finishLoginWithPasskey, passwordMark } from '@/lib/accounts/finish-login'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { logInWithPasskey } from '@/lib/accounts/passkeys/log-in-with-passkey'
import { getUser, hasTwoFactor, listPasskeys } from '@/lib/accounts/queries'
import { removePasskey } from '@/lib/accounts/passkeys/remove-passkey'
import { renamePasskey } from '@/lib/accounts/passkeys/rename-passkey'
import { renewRecoveryCodes } from '@/lib/accounts/two-factor/renew-recovery-codes'
import { requestAnyPasskey, requestPasskey } from '@/lib/accounts/passkeys/request-passkey'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { resetPassword } from '@/lib/accounts/reset-password'
import type { PasskeyChallenge } from '@/lib/accounts/passkeys/spend-passkey'
import { startPasskey } from '@/lib/accounts/passkeys/start-passkey'
import { startSession } from '@/lib/accounts/start-session'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { stepUpWithPasskey } from '@/lib/accounts/step-up'
import { removeAuthenticatorApp } from '@/lib/accounts/two-factor/remove-authenticator-app'
import { closeAccount } from '@/lib/closure/close-account'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { HOUR_MS, SECOND_MS } from '@/lib/kernel/time'
import { contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { softwarePasskey } from '@/tests/support/software-passkey'

afterAll(closeDatabase)

const site = { origin: 'http://localhost:3000', rpId: 'localhost' }
const password = 'speckled mug'

async function makeOwner(isAdmin = false) {
  const user = await makeSeller({ isAdmin, passwordHash: await hashPassword(password) })
  const secrets = [await session(user.id), await session(user.id)] as const
  const context = async () => {
    const actor = await findSessionActor(database(), secrets[0])
    if (!actor) throw new Error('the session has ended')
    return contextFor(actor)
  }
  return { user, secrets, context }
}

const session = (userId: number) => startSession(visitor(), { userId, userAgent: 'phone', steppedUpAt: new Date() })

type Owner = Awaited<ReturnType<typeof makeOwner>>

/** Adds a passkey as the settings do. */
async function add({ context }: Owner, passkey = softwarePasskey()) {
  const { options, waiting } = await startPasskey(await context(), { password }, site)
  const recoveryCodes = await addPasskey(
    await context(),
    { credential: passkey.create(options) },
    { waiting, site, userAgent: '' },
  )
  return { passkey, options, recoveryCodes }
}

async function withPasskey(isAdmin = false) {
  const owner = await makeOwner(isAdmin)
  return { ...owner, ...(await add(owner)) }
}

/** Signs in with a passkey alone. `change` says what the authenticator does differently. */
async function logIn(
  passkey: ReturnType<typeof softwarePasskey>,
  change: Parameters<(typeof passkey)['get']>[1] = {},
  ctx = visitor(),
) {
  const { options, waiting } = await requestAnyPasskey(site)
  return logInWithPasskey(ctx, { credential: passkey.get(options, change) }, { waiting, site })
}

/** Uses a passkey as the second step after the password. */
async function finish(userId: number, passkey: ReturnType<typeof softwarePasskey>, isVerified = true) {
  const user = await getUser(db(), userId)
  const asked = await requestPasskey(visitor(), { site, purpose: 'secondStep', userId, sessionId: null })
  if (!asked) throw new Error('the account has no passkey')
  const step = { userId, mark: passwordMark(user), isKnownDevice: false }
  const credential = passkey.get(asked.options, { isVerified })
  return finishLoginWithPasskey(visitor(), { credential }, { ...step, waiting: asked.waiting, site })
}

const refused = (code: string) => ({ code })
const mailTo = (to: string, subject: string) =>
  db().outboxMail.findFirst({ where: { to, subject }, orderBy: { id: 'desc' } })

describe('adding a passkey', () => {
  it('turns the second factor on, returns recovery codes once, ends other sessions and emails the owner', async () => {
    const { user, secrets, context, recoveryCodes, passkey, options } = await withPasskey()
    expect(recoveryCodes).toHaveLength(10)
    expect(await hasTwoFactor(visitor(), user.id)).toBe(true)
    expect((await context()).actor.hasTwoFactor).toBe(true)
    expect(await findSessionActor(database(), secrets[1])).toBeNull()
    expect(await mailTo(user.email, 'A passkey was added to your account')).not.toBeNull()
    const handle = Buffer.from(options.user.id, 'base64url').toString()
    expect(handle).not.toContain(user.email)
    expect(await db().passkey.findMany({ where: { userId: user.id } })).toMatchObject([{ credentialId: passkey.id }])
  })

  it('returns no new recovery codes for a second passkey, and excludes the first one', async () => {
    const owner = await withPasskey()
    const { recoveryCodes, options } = await add(owner)
    expect(recoveryCodes).toBeNull()
    expect(options.excludeCredentials).toMatchObject([{ id: owner.passkey.id }])
  })

  it('needs the password, or a recent second factor when there is one', async () => {
    const owner = await makeOwner()
    await expect(startPasskey(await owner.context(), {}, site)).rejects.toMatchObject(refused('PROOF_REQUIRED'))
    await expect(startPasskey(await owner.context(), { password: 'a guess' }, site)).rejects.toMatchObject(
      refused('WRONG_PASSWORD'),
    )
    await add(owner)
    await db().session.updateMany({
      where: { userId: owner.user.id },
      data: { stepUpAt: new Date(Date.now() - HOUR_MS) },
    })
    await expect(startPasskey(await owner.context(), { password }, site)).rejects.toMatchObject(
      refused('STEP_UP_REQUIRED'),
    )
  })

  it('refuses a challenge of another session, a used one, another origin and an unverified user', async () => {
    const owner = await makeOwner()
    const { options, waiting } = await startPasskey(await owner.context(), { password }, site)
    const tries: [PasskeyChallenge | null, object, string][] = [
      [null, {}, 'PASSKEY_EXPIRED'],
      [{ ...waiting, sessionId: 'another' }, {}, 'PASSKEY_EXPIRED'],
      [{ ...waiting, purpose: 'stepUp' }, {}, 'PASSKEY_EXPIRED'],
      [{ ...waiting, challenge: 'AAAA' }, {}, 'PASSKEY_REFUSED'],
      [waiting, { origin: 'https://lastcall.example.evil' }, 'PASSKEY_REFUSED'],
      [waiting, { isVerified: false }, 'PASSKEY_REFUSED'],
    ]
    for (const [round, change, code] of tries) {
      const credential = softwarePasskey().create(options, change)
      const adding = addPasskey(await owner.context(), { credential }, { waiting: round, site, userAgent: '' })
      await expect(adding).rejects.toMatchObject(refused(code))
    }
    const credential = softwarePasskey().create(options)
    await addPasskey(await owner.context(), { credential }, { waiting, site, userAgent: '' })
    const again = softwarePasskey().create(options)
    await expect(
      addPasskey(await owner.context(), { credential: again }, { waiting, site, userAgent: '' }),
    ).rejects.toMatchObject(refused('PASSKEY_EXPIRED'))
  })

  it('refuses a passkey of a session that has ended meanwhile', async () => {
    const ctx = await (await makeOwner()).context()
    const { options, waiting } = await startPasskey(ctx, { password }, site)
    await endSession(ctx, ctx.actor.sessionId)
    const adding = addPasskey(ctx, { credential: softwarePasskey().create(options) }, { waiting, site, userAgent: '' })
    await expect(adding).rejects.toMatchObject(refused('NOT_SIGNED_IN'))
  })

  it('refuses the passkey of another account', async () => {
    const { passkey } = await withPasskey()
    await expect(add(await makeOwner(), passkey)).rejects.toMatchObject(refused('PASSKEY_KNOWN'))
  })

  it('refuses an eleventh passkey, even when several are added at the same moment', async () => {
    const owner = await withPasskey()
    for (let count = 0; count < 8; count += 1) await add(owner)
    const outcomes = await Promise.allSettled([add(owner), add(owner), add(owner)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await db().passkey.count({ where: { userId: owner.user.id } })).toBe(10)
    await expect(add(owner)).rejects.toMatchObject(refused('PASSKEY_LIMIT'))
  })
})

describe('signing in with a passkey alone', () => {
  it('finds the account, and stores the counter and the time', async () => {
    const { user, passkey } = await withPasskey()
    expect((await logIn(passkey)).id).toBe(user.id)
    const [row] = await db().passkey.findMany({ where: { userId: user.id } })
    expect(row).toMatchObject({ counter: 1n, lastUsedAt: expect.any(Date) })
  })

  it('accepts a response once, even when it arrives several times at the same moment', async () => {
    const { passkey } = await withPasskey()
    const { options, waiting } = await requestAnyPasskey(site)
    const credential = passkey.get(options)
    const tries = Array.from({ length: 4 }, () => logInWithPasskey(visitor(), { credential }, { waiting, site }))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('accepts a response of a passkey without a counter only once', async () => {
    const owner = await makeOwner()
    const { passkey } = await add(owner, softwarePasskey({ counts: false }))
    const { options, waiting } = await requestAnyPasskey(site)
    const credential = passkey.get(options)
    await logInWithPasskey(visitor(), { credential }, { waiting, site })
    await expect(logInWithPasskey(visitor(), { credential }, { waiting, site })).rejects.toMatchObject(
      refused('PASSKEY_EXPIRED'),
    )
    expect((await logIn(passkey)).id).toBe(owner.user.id)
  })

  it('refuses a copied passkey, a wrong origin or site, an unverified user, an unknown passkey and a foreign challenge', async () => {
    const { passkey } = await withPasskey()
    await logIn(passkey)
    await logIn(passkey)
    await expect(logIn(passkey, { counter: 1 })).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    await expect(logIn(passkey, { counter: 0 })).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    await expect(logIn(passkey, { origin: 'http://localhost:3999' })).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    await expect(logIn(passkey, { rpId: 'evil.example' })).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    await expect(logIn(passkey, { isVerified: false })).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    await expect(logIn(softwarePasskey())).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    const [mine, theirs] = [await requestAnyPasskey(site), await requestAnyPasskey(site)]
    const credential = passkey.get(mine.options)
    const swapped = { waiting: theirs.waiting, site }
    await expect(logInWithPasskey(visitor(), { credential }, swapped)).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    await expect(logInWithPasskey(visitor(), { credential }, { waiting: null, site })).rejects.toMatchObject(
      refused('PASSKEY_EXPIRED'),
    )
    // The refused attempts do not affect the passkey itself.
    await logIn(passkey)
  })

  it("refuses another passkey's signature under this passkey's id", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()]
    const { options, waiting } = await requestAnyPasskey(site)
    const credential = { ...mine.passkey.get(options), id: theirs.passkey.id, rawId: theirs.passkey.id }
    await expect(logInWithPasskey(visitor(), { credential }, { waiting, site })).rejects.toMatchObject(
      refused('PASSKEY_REFUSED'),
    )
  })

  it('creates a challenge that names no passkey', async () => {
    const { options } = await requestAnyPasskey(site)
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required', rpId: 'localhost' })
  })

  it('lets suspended sellers in, and nobody into a deleted account', async () => {
    const { user, passkey } = await withPasskey()
    await db().user.update({ where: { id: user.id }, data: { isSuspended: true } })
    expect((await logIn(passkey)).id).toBe(user.id)
    await closeAccount(visitor(), user.id, { check: () => undefined })
    expect(await db().passkey.count({ where: { userId: user.id } })).toBe(0)
    await expect(logIn(passkey)).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
  })

  it('stops after 50 refused responses from one network in a quarter of an hour', async () => {
    const ctx = visitor()
    const codes = new Set<string>()
    for (let count = 0; count < 51; count += 1)
      await logIn(softwarePasskey(), {}, ctx).catch((error: { code: string }) => codes.add(error.code))
    expect([...codes]).toEqual(['PASSKEY_REFUSED', 'TOO_MANY_REQUESTS'])
  })
})

describe('a passkey after the password', () => {
  it('finishes a login even without user verification, and recovery codes still work', async () => {
    const { user, passkey, recoveryCodes } = await withPasskey()
    expect((await finish(user.id, passkey, false)).id).toBe(user.id)
    const step = { userId: user.id, mark: passwordMark(user), isKnownDevice: false }
    expect((await finishLogin(visitor(), { ...step, code: recoveryCodes?.[0] ?? '' })).id).toBe(user.id)
    await expect(finishLogin(visitor(), { ...step, code: '123456' })).rejects.toMatchObject(refused('WRONG_CODE'))
  })

  it("refuses someone else's passkey, and a challenge of a login without a password", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()]
    await expect(finish(mine.user.id, theirs.passkey)).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
    const { options, waiting } = await requestAnyPasskey(site)
    const step = { userId: mine.user.id, mark: passwordMark(mine.user), isKnownDevice: false }
    await expect(
      finishLoginWithPasskey(visitor(), { credential: mine.passkey.get(options) }, { ...step, waiting, site }),
    ).rejects.toMatchObject(refused('PASSKEY_EXPIRED'))
  })

  it('allows five refused passkeys in a quarter of an hour', async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()]
    const codes: string[] = []
    for (let count = 0; count < 6; count += 1)
      await finish(mine.user.id, theirs.passkey).catch((error: { code: string }) => codes.push(error.code))
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'PASSKEY_REFUSED'), 'TOO_MANY_REQUESTS'])
  })
})

describe('after the password has changed', () => {
  it('a passkey signs in alone only after it was used with the new password', async () => {
    const { user, passkey } = await withPasskey()
    await requestPasswordReset(visitor(), { email: user.email })
    const mail = await mailTo(user.email, 'Reset your password')
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    await resetPassword(visitor(), { token, newPassword: 'another mug' })
    await expect(logIn(passkey)).rejects.toMatchObject(refused('PASSKEY_NEEDS_PASSWORD'))
    // The reset removes no second factor, so the new password still needs one.
    expect(await hasTwoFactor(visitor(), user.id)).toBe(true)
    await finish(user.id, passkey)
    expect((await logIn(passkey)).id).toBe(user.id)
  })

  it('the same applies when the password was changed in the settings', async () => {
    const { context, passkey } = await withPasskey()
    await changePassword(await context(), { password, newPassword: 'another mug' })
    await expect(logIn(passkey)).rejects.toMatchObject(refused('PASSKEY_NEEDS_PASSWORD'))
  })
})

it('the link in the email removes that passkey and later ones, makes the password unusable and keeps older passkeys', async () => {
  const owner = await withPasskey()
  const { user, secrets } = owner
  await db().passkey.updateMany({ where: { userId: user.id }, data: { createdAt: new Date(Date.now() - HOUR_MS) } })
  const thief = await add(owner)
  const mail = await mailTo(user.email, 'A passkey was added to your account')
  await add(owner)
  const token = /confirm-email\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  expect(await confirmEmail(visitor(), { token })).toBe(user.email)
  const left = await db().passkey.findMany({ where: { userId: user.id } })
  expect(left.map(({ credentialId }) => credentialId)).toEqual([owner.passkey.id])
  expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(0)
  expect(await findSessionActor(database(), secrets[0])).toBeNull()
  await expect(logIn(thief.passkey)).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
  await expect(logIn(owner.passkey)).rejects.toMatchObject(refused('PASSKEY_NEEDS_PASSWORD'))
  expect(await mailTo(user.email, 'Reset your password')).not.toBeNull()
})

describe('removing and renaming', () => {
  it('the last removal turns the second factor off, ends other sessions and emails the owner', async () => {
    const owner = await withPasskey()
    const { user, context } = owner
    await add(owner)
    const other = await session(user.id)
    const [first, second] = await listPasskeys(await context())
    await removePasskey(await context(), { passkeyId: first?.id ?? 0 })
    expect(await findSessionActor(database(), other)).toBeNull()
    expect((await context()).actor.hasTwoFactor).toBe(true)
    expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(10)
    await removePasskey(await context(), { passkeyId: second?.id ?? 0 })
    expect((await context()).actor.hasTwoFactor).toBe(false)
    expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(0)
    const mail = await mailTo(user.email, 'A passkey was removed from your account')
    expect(mail?.text).toContain('just your password')
    await expect(logIn(owner.passkey)).rejects.toMatchObject(refused('PASSKEY_REFUSED'))
  })

  it("needs a recent second factor, and never touches someone else's passkey", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()]
    const [their] = await listPasskeys(await theirs.context())
    const passkeyId = their?.id ?? 0
    await expect(removePasskey(await mine.context(), { passkeyId })).rejects.toMatchObject(refused('PASSKEY_NOT_FOUND'))
    await expect(renamePasskey(await mine.context(), { passkeyId, name: 'Mine' })).rejects.toMatchObject(
      refused('PASSKEY_NOT_FOUND'),
    )
    await db().session.updateMany({ where: { userId: theirs.user.id }, data: { stepUpAt: null } })
    await expect(removePasskey(await theirs.context(), { passkeyId })).rejects.toMatchObject(
      refused('STEP_UP_REQUIRED'),
    )
    await renamePasskey(await theirs.context(), { passkeyId, name: 'Blue key' })
    expect(await listPasskeys(await theirs.context())).toMatchObject([{ name: 'Blue key', lastUsedAt: null }])
  })

  it('needs a recent second factor before an authenticator app is set up beside the passkey', async () => {
    const { user, context } = await withPasskey()
    await db().session.updateMany({ where: { userId: user.id }, data: { stepUpAt: null } })
    await expect(startTwoFactor(await context(), { password })).rejects.toMatchObject(refused('STEP_UP_REQUIRED'))
    expect(await db().totpCredential.count({ where: { userId: user.id } })).toBe(0)
  })

  it('turning off the authenticator app keeps the passkey and the recovery codes', async () => {
    const { user, context } = await withPasskey()
    const { secret } = await startTwoFactor(await context(), { password })
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / SECOND_MS) })
    const [recoveryCode] = await confirmTwoFactor(await context(), { code })
    await expect(renewRecoveryCodes(await context(), {})).rejects.toMatchObject(refused('WRONG_CODE'))
    await removeAuthenticatorApp(await context(), { code: recoveryCode ?? '' })
    expect((await context()).actor.hasTwoFactor).toBe(true)
    expect(await db().recoveryCode.count({ where: { userId: user.id, usedAt: null } })).toBe(9)
    expect(await mailTo(user.email, 'Your authenticator app was removed')).not.toBeNull()
    expect(await renewRecoveryCodes(await context(), {})).toHaveLength(10)
    expect(await mailTo(user.email, 'You have new recovery codes')).toMatchObject({ isUrgent: true })
    await db().session.updateMany({ where: { userId: user.id }, data: { stepUpAt: null } })
    await expect(renewRecoveryCodes(await context(), {})).rejects.toMatchObject(refused('STEP_UP_REQUIRED'))
  })
})

it('a passkey counts as the second factor of an administrator, including for a step-up', async () => {
  const { user, context, passkey } = await withPasskey(true)
  await db().session.updateMany({ where: { userId: user.id }, data: { stepUpAt: new Date(Date.now() - HOUR_MS) } })
  const ctx = { ...(await context()), payments: 'live' as const }
  expect(() => assertSteppedUp(ctx)).toThrow(expect.objectContaining({ code: 'STEP_UP_REQUIRED' }))
  const { userId, sessionId } = ctx.actor
  const asked = await requestPasskey(ctx, { site, purpose: 'stepUp', userId, sessionId })
  if (!asked) throw new Error('the account has no passkey')
  const credential = passkey.get(asked.options)
  const elsewhere = { waiting: { ...asked.waiting, sessionId: 'another' }, site }
  await expect(stepUpWithPasskey(ctx, { credential }, elsewhere)).rejects.toMatchObject(refused('PASSKEY_EXPIRED'))
  await stepUpWithPasskey(ctx, { credential }, { waiting: asked.waiting, site })
  const stepped = { ...(await context()), payments: 'live' as const }
  expect(() => assertSteppedUp(stepped)).not.toThrow()
})
