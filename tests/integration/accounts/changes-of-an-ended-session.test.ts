// A change that waits for a lock, for Stripe or for the check of a password must not be made after its session was
// signed out. Otherwise a thief who sends such requests again and again could still change the account after the owner
// has signed out the thief's device or has taken the account back.
import type { User } from '@prisma/client'
import { generateSync } from 'otplib'
import { changePassword } from '@/lib/accounts/change-password'
import { changeUsername } from '@/lib/accounts/change-username'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { endDevice, endOtherDevices } from '@/lib/accounts/end-device'
import { issueToken, issueUndo } from '@/lib/accounts/issue-token'
import { lockUser } from '@/lib/accounts/lock-user'
import { resetPassword } from '@/lib/accounts/reset-password'
import { setProfileImage } from '@/lib/accounts/set-profile-image'
import { startSession } from '@/lib/accounts/start-session'
import { suspendUser } from '@/lib/accounts/suspend-user'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { removeAuthenticatorApp } from '@/lib/accounts/two-factor/remove-authenticator-app'
import { renewRecoveryCodes } from '@/lib/accounts/two-factor/renew-recovery-codes'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { updateProfile } from '@/lib/accounts/update-profile'
import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { saveSellerDetails } from '@/lib/traders/save-seller-details'
import { submitAppeal } from '@/lib/trust/submit-appeal'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

const password = 'speckled mug'
const email = () => `${newId('n').toLowerCase()}@example.com`

type Owner = { user: User; thief: Context<UserActor>; owner: Context<UserActor>; secret: string }

/** Makes a seller with two sessions, of which one is the thief's, and with the secret of an app that is not on yet. */
async function makeOwner(): Promise<Owner> {
  const user = await makeSeller({ passwordHash: await hashPassword(password), emailConfirmedAt: new Date() })
  const signIn = async () => {
    const secret = await startSession(visitor(), { userId: user.id, userAgent: 'a browser', steppedUpAt: new Date() })
    return contextFor({ ...actorOf(user), sessionId: sha256(secret) })
  }
  const [thief, owner] = [await signIn(), await signIn()]
  const { secret } = await startTwoFactor(thief, { password })
  return { user, thief, owner, secret }
}

/** Turns the app on in the owner's session, and opens the thief's session again, which this has ended. */
async function turnOn({ user, owner, secret }: Owner): Promise<string> {
  const [code = ''] = await confirmTwoFactor(owner, { code: generateSync({ secret }) })
  await db().session.updateMany({ where: { userId: user.id }, data: { revokedAt: null } })
  return code
}

const details = {
  kind: 'private',
  legalName: '',
  address: '',
  country: 'US',
  email: '',
  phone: '',
  register: '',
  vatId: '',
  isCertified: false,
} as const

/** Each change is given a code if two-factor sign-in has to be on before. */
type Change = { needsCode?: true; run: (account: Owner, code: string) => Promise<unknown> }

const picture = { path: 'prisma/seed/images/ceramic-mug-1.webp', declaredType: 'image/webp' }
const newPicture = ({ thief }: Owner) => setProfileImage(thief, [picture])

const changes: Record<string, Change> = {
  'turning an app on': { run: ({ thief, secret }) => confirmTwoFactor(thief, { code: generateSync({ secret }) }) },
  'removing the app': { needsCode: true, run: ({ thief }, code) => removeAuthenticatorApp(thief, { code }) },
  'new recovery codes': { needsCode: true, run: ({ thief }, code) => renewRecoveryCodes(thief, { code }) },
  'a new email address': { run: ({ thief }) => updateProfile(thief, { email: email(), password }) },
  'a new name': { run: ({ thief }) => updateProfile(thief, { firstName: 'Thief' }) },
  'a new password': { run: ({ thief }) => changePassword(thief, { password, newPassword: 'a thief was here' }) },
  'a new username': { run: ({ thief, user }) => changeUsername(thief, { newUsername: `n${user.username?.slice(1)}` }) },
  'a new picture': { run: newPicture },
  'a payout account': { run: ({ thief }) => connectPayouts(thief, { password }) },
  'new seller details': { run: ({ thief }) => saveSellerDetails(thief, { ...details, password }) },
  'the deletion of the account': {
    run: ({ thief, user }) => deleteOwnAccount(thief, { username: user.username ?? '', password }),
  },
}

/** Makes a change that begins before the owner's own action is committed, and waits for it. */
async function changeDuring(act: (tx: Context) => Promise<unknown>, { user }: Owner, change: () => Promise<unknown>) {
  const { outcome } = await transaction(visitor(), async (tx) => {
    await lockUser(tx, user.id)
    await act(tx)
    const outcome = change().then(
      () => 'made',
      (error: unknown) => error,
    )
    // Whatever statement the change waits in.
    await untilWaits('', outcome)
    return { outcome }
  })
  return outcome
}

it.each(Object.entries(changes))('a session that was signed out meanwhile does not make %s', async (_name, change) => {
  const account = await makeOwner()
  const { id } = account.user
  const code = change.needsCode ? await turnOn(account) : ''
  const before = await db().user.findUnique({ where: { id } })
  const signOut = (tx: Context) => endOtherDevices({ ...tx, actor: account.owner.actor })
  const outcome = await changeDuring(signOut, account, () => change.run(account, code))
  expect(outcome).toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(await db().user.findUnique({ where: { id } })).toEqual(before)
  expect(await db().token.count({ where: { userId: id, usedAt: null, purpose: 'emailChange' } })).toBe(0)
})

it('signing out one device waits for a change that this device is making, so that the owner finds what it has made', async () => {
  const { user, owner, thief } = await makeOwner()
  const { sessionId: deviceId } = thief.actor
  const { signOut } = await transaction(thief, async (tx) => {
    await lockUser(tx, user.id)
    const signOut = endDevice(owner, { deviceId })
    expect(await untilWaits('', signOut)).toBe(true)
    return { signOut }
  })
  await signOut
  expect(await db().session.count({ where: { id: deviceId, revokedAt: null } })).toBe(0)
})

it('new recovery codes that a thief asked for are not made after the owner has taken the account back', async () => {
  const account = await makeOwner()
  const { user, thief, secret } = account
  await turnOn(account)
  // The same code of the app may be used once more.
  await db().totpCredential.update({ where: { userId: user.id }, data: { lastUsedStep: 0 } })
  const code = generateSync({ secret })
  const undo = await issueUndo(visitor(), user)
  await db().user.update({ where: { id: user.id }, data: { email: email() } })
  const takeBack = (tx: Context) => confirmEmail(tx, { token: undo.secret })
  const outcome = await changeDuring(takeBack, account, () => renewRecoveryCodes(thief, { code }))
  expect(outcome).toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(0)
  // A link to the thief's address would take the account away from its owner again.
  const later = { purpose: 'emailUndo', usedAt: null, createdAt: { gt: undo.createdAt } } as const
  expect(await db().token.count({ where: { userId: user.id, ...later } })).toBe(0)
})

it('a link that is used while the other devices are signed out neither blocks that nor works afterwards', async () => {
  const account = await makeOwner()
  const { user } = account
  const signOut = async (tx: Context) => endOtherDevices({ ...tx, actor: account.owner.actor })
  for (const purpose of ['emailChange', 'passwordReset'] as const) {
    const { secret } = await issueToken(visitor(), { userId: user.id, purpose, email: email() })
    const use = () =>
      purpose === 'emailChange'
        ? confirmEmail(visitor(), { token: secret })
        : resetPassword(visitor(), { token: secret, newPassword: 'a new speckled mug' })
    const { outcome } = await transaction(visitor(), async (tx) => {
      await lockUser(tx, user.id)
      const outcome = use().catch((error: unknown) => error)
      expect(await untilWaits('', outcome)).toBe(true)
      await signOut(tx)
      return { outcome }
    })
    expect(await outcome).toMatchObject({ status: 400 })
  }
})

it('an appeal that was sent before the account was signed out is not stored', async () => {
  const account = await makeOwner()
  const thief = { ...account.thief, actor: { ...account.thief.actor, isSuspended: true } }
  const signOut = (tx: Context) => endOtherDevices({ ...tx, actor: account.owner.actor })
  const outcome = await changeDuring(signOut, account, () => submitAppeal(thief, { text: 'It was me.' }))
  expect(outcome).toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(await db().appeal.count({ where: { userId: account.user.id } })).toBe(0)
})

it('a seller who was suspended meanwhile gets no new picture', async () => {
  const account = await makeOwner()
  const suspend = (tx: Context) => suspendUser(tx, account.user.id, { until: null, reason: 'a test' })
  expect(await changeDuring(suspend, account, () => newPicture(account))).toMatchObject({ code: 'NOT_SIGNED_IN' })
})
