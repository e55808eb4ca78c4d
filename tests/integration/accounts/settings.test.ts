import { changePassword } from '@/lib/accounts/change-password'
import { changeUsername } from '@/lib/accounts/change-username'
import { checkUsername } from '@/lib/accounts/check-username'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { createAccount } from '@/lib/accounts/create-account'
import { endDevice, endOtherDevices } from '@/lib/accounts/end-device'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { findPendingEmail, findProfileUser, getUsernameEligibility, listDevices } from '@/lib/accounts/queries'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { resetPassword } from '@/lib/accounts/reset-password'
import { startSession } from '@/lib/accounts/start-session'
import { updateProfile } from '@/lib/accounts/update-profile'
import { updateSettings } from '@/lib/accounts/update-settings'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const newName = () => `n${newId('x').slice(2, 14).toLowerCase()}`
const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })
const linkIn = (text = '') => /token=([A-Za-z0-9]{43})/.exec(text)?.[1] ?? ''

async function seller(overrides: Parameters<typeof makeSeller>[0] = {}) {
  const user = await makeSeller(overrides)
  return { user, ctx: contextFor(actorOf(user)) }
}

describe('settings', () => {
  it('change only the fields that were sent', async () => {
    const { ctx } = await seller()
    const changed = await updateSettings(ctx, { marketingEmails: true, timezone: 'Asia/Tokyo' })
    expect(changed).toMatchObject({ marketingEmails: true, timezone: 'Asia/Tokyo', emailNotifications: true })
  })

  it('allow Pro sellers, but not free sellers, to change analytics tracking', async () => {
    const free = await seller()
    await expect(updateSettings(free.ctx, { analytics: false })).rejects.toMatchObject({
      status: 403,
      field: 'analytics',
    })
    expect(await updateSettings(free.ctx, { analytics: true })).toMatchObject({ analytics: true })
    const pro = await seller({ plan: 'pro' })
    expect(await updateSettings(pro.ctx, { analytics: false })).toMatchObject({ analytics: false })
  })
})

describe('a new username', () => {
  it('redirects from the old one for 30 days and reserves the old one for 90', async () => {
    const { user, ctx } = await seller()
    const old = user.username ?? ''
    const wanted = newName()
    expect(await changeUsername(ctx, { newUsername: wanted })).toMatchObject({ username: wanted })
    expect(await findProfileUser(ctx, old.toUpperCase())).toMatchObject({ id: user.id, username: wanted })
    expect(await checkUsername(database(), old)).toMatchObject({ available: false })
    const reserved = await db().reservedUsername.findUniqueOrThrow({ where: { username: old } })
    expect(reserved.redirectsUntil.getTime() - Date.now()).toBeCloseTo(30 * DAY_MS, -5)
    expect(reserved.reservedUntil.getTime() - Date.now()).toBeCloseTo(90 * DAY_MS, -5)
    expect((await mailsTo(user.email)).at(-1)?.subject).toContain(wanted)
  })

  it('is possible once in 30 days, and the eligibility names the date of the next change', async () => {
    const { user, ctx } = await seller()
    expect(await getUsernameEligibility(ctx)).toEqual({ canChange: true, reason: null, cooldownEnds: null })
    await changeUsername(ctx, { newUsername: newName() })
    await expect(changeUsername(ctx, { newUsername: newName() })).rejects.toMatchObject({ code: 'USERNAME_COOLDOWN' })
    const { canChange, cooldownEnds } = await getUsernameEligibility(ctx)
    expect(canChange).toBe(false)
    expect(Date.parse(cooldownEnds ?? '') - Date.now()).toBeCloseTo(30 * DAY_MS, -5)
    await db().user.update({ where: { id: user.id }, data: { usernameChangedAt: new Date(Date.now() - 31 * DAY_MS) } })
    // The owner may take the old name back.
    expect(await changeUsername(ctx, { newUsername: user.username ?? '' })).toMatchObject({ username: user.username })
  })

  it('is set by exactly one of 20 simultaneous requests', async () => {
    const { ctx } = await seller()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => changeUsername(ctx, { newUsername: newName() })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('goes to one of two users who request it at the same time', async () => {
    const [a, b] = [await seller(), await seller()]
    const newUsername = newName()
    const outcomes = await Promise.allSettled([
      changeUsername(a.ctx, { newUsername }),
      changeUsername(b.ctx, { newUsername }),
    ])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'USERNAME_TAKEN', status: 409, field: 'newUsername' })
  })
})

describe('an email address', () => {
  it('is confirmed by the link in the sign-up email, which works once', async () => {
    const name = newName()
    const account = {
      firstName: 'Mira',
      lastName: '',
      username: name,
      email: `${name}@example.com`,
      password: 'speckled mug',
    }
    const user = await createAccount(visitor(), account)
    const token = linkIn((await mailsTo(user.email))[0]?.text)
    expect(await confirmEmail(visitor(), { token })).toBe(user.email)
    expect(await db().user.findUnique({ where: { id: user.id } })).toMatchObject({ emailConfirmedAt: expect.any(Date) })
    await expect(confirmEmail(visitor(), { token })).rejects.toMatchObject({
      code: 'CONFIRM_LINK_INVALID',
      status: 400,
    })
  })

  it('changes when the new one is confirmed, and the old one gets two emails about the change', async () => {
    const { user, ctx } = await seller()
    const email = `${newName()}@example.com`
    expect(await updateProfile(ctx, { firstName: 'Ada', email })).toMatchObject({ firstName: 'Ada', email: user.email })
    expect(await findPendingEmail(ctx)).toBe(email)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, async () =>
        confirmEmail(visitor(), { token: linkIn((await mailsTo(email))[0]?.text) }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await db().user.findUnique({ where: { id: user.id } })).toMatchObject({ email })
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual([
      'Request to change your email address',
      'Your email address was changed',
    ])
    expect(await findPendingEmail(ctx)).toBeNull()
  })

  it('that belongs to another account is refused, even if the other account took it after the request', async () => {
    const other = await makeSeller()
    const { ctx } = await seller()
    await expect(updateProfile(ctx, { email: other.email })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      field: 'email',
    })
    const email = `${newName()}@example.com`
    await updateProfile(ctx, { email })
    await makeSeller({ email })
    const token = linkIn((await mailsTo(email))[0]?.text)
    await expect(confirmEmail(visitor(), { token })).rejects.toMatchObject({ code: 'EMAIL_TAKEN', status: 409 })
  })

  it('is confirmed only by the newest link, and reset links sent to the old address stop working', async () => {
    const { user, ctx } = await seller()
    const first = `${newName()}@example.com`
    const second = `${newName()}@example.com`
    await updateProfile(ctx, { email: first })
    await updateProfile(ctx, { email: second })
    await requestPasswordReset(visitor(), { email: user.email })
    const [old] = await mailsTo(first)
    await expect(confirmEmail(visitor(), { token: linkIn(old?.text) })).rejects.toMatchObject({ status: 400 })
    await confirmEmail(visitor(), { token: linkIn((await mailsTo(second))[0]?.text) })
    const reset = (await mailsTo(user.email)).find(({ subject }) => subject === 'Reset your password')
    const token = linkIn(reset?.text)
    await expect(resetPassword(visitor(), { token, newPassword: 'long enough' })).rejects.toMatchObject({ status: 400 })
  })
})

it('a password reset cancels a pending change of the email address', async () => {
  const { user, ctx } = await seller()
  const email = `${newName()}@example.com`
  await updateProfile(ctx, { email })
  await requestPasswordReset(visitor(), { email: user.email })
  const reset = (await mailsTo(user.email)).find(({ subject }) => subject === 'Reset your password')
  await resetPassword(visitor(), { token: linkIn(reset?.text), newPassword: 'long enough' })
  const token = linkIn((await mailsTo(email))[0]?.text)
  await expect(confirmEmail(visitor(), { token })).rejects.toMatchObject({ code: 'CONFIRM_LINK_INVALID' })
})

describe('devices', () => {
  async function signedIn() {
    const { user } = await seller({ passwordHash: await hashPassword('speckled mug') })
    const secrets = await Promise.all(
      ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', '', 'curl/8'].map(
        (userAgent) => startSession(visitor(), { userId: user.id, userAgent }),
      ),
    )
    const [actor] = await Promise.all(secrets.map((secret) => findSessionActor(database(), secret)))
    if (!actor) throw new Error('the session that was just started was not found')
    return { user, secrets, ctx: contextFor(actor) }
  }
  const stillIn = async (secrets: string[]) =>
    (await Promise.all(secrets.map((secret) => findSessionActor(database(), secret)))).map((actor) => actor !== null)

  it('are listed by name, with the current one marked', async () => {
    const { ctx } = await signedIn()
    const devices = await listDevices(ctx)
    expect(devices.map(({ label }) => label).toSorted()).toEqual([
      'Chrome on Android',
      'Unknown browser',
      'Unknown device',
    ])
    expect(devices.filter(({ isThisOne }) => isThisOne)).toHaveLength(1)
  })

  it('can be logged out one by one, or all but the current one, but not by another user', async () => {
    const { user, ctx, secrets } = await signedIn()
    const other = await signedIn()
    const [stranger] = await listDevices(other.ctx)
    await endDevice(ctx, { deviceId: stranger?.id ?? '' })
    expect(await stillIn(other.secrets)).toEqual([true, true, true])
    const second = (await listDevices(ctx)).find(({ isThisOne }) => !isThisOne)
    await endDevice(ctx, { deviceId: second?.id ?? '' })
    expect((await stillIn(secrets)).filter(Boolean)).toHaveLength(2)
    // An intruder on another device may have requested a link that resets the password.
    await requestPasswordReset(visitor(), { email: user.email })
    const reset = (await mailsTo(user.email)).find(({ subject }) => subject === 'Reset your password')
    await endOtherDevices(ctx)
    expect(await stillIn(secrets)).toEqual([true, false, false])
    const used = resetPassword(visitor(), { token: linkIn(reset?.text), newPassword: 'long enough' })
    await expect(used).rejects.toMatchObject({ status: 400 })
  })

  it('are logged out by a change of password, except for the current one', async () => {
    const { user, ctx, secrets } = await signedIn()
    const wrong = changePassword(ctx, { password: 'wrong one', newPassword: 'a better one' })
    await expect(wrong).rejects.toMatchObject({ code: 'WRONG_PASSWORD', field: 'password' })
    expect(await stillIn(secrets)).toEqual([true, true, true])
    await changePassword(ctx, { password: 'speckled mug', newPassword: 'a better one' })
    expect(await stillIn(secrets)).toEqual([true, false, false])
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe('Your password was changed')
  })

  it('limits how often one account may change its password, because each change sends an urgent email', async () => {
    const { ctx } = await signedIn()
    let password = 'speckled mug'
    for (let count = 0; count < 10; count += 1) {
      const newPassword = `another mug ${count}`
      await changePassword(ctx, { password, newPassword })
      password = newPassword
    }
    const tooMany = { code: 'TOO_MANY_REQUESTS', status: 429 }
    await expect(changePassword(ctx, { password, newPassword: 'one more mug' })).rejects.toMatchObject(tooMany)
  })
})
