// Anyone can create accounts with a stranger's address. These tests check that such accounts cannot fill the stranger's
// mailbox, and cannot email many other strangers (docs/product.md#signing-up).
import { changePassword } from '@/lib/accounts/change-password'
import { createAccount, createDraftedAccount, draftAccount } from '@/lib/accounts/create-account'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { requestEmailConfirmation } from '@/lib/accounts/request-email-confirmation'
import { sendUsername } from '@/lib/accounts/send-username'
import { updateProfile } from '@/lib/accounts/update-profile'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { newId } from '@/lib/kernel/id'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const newName = () => `n${newId('x').slice(2, 14).toLowerCase()}`
const stranger = () => `${newName()}@example.com`
const password = 'speckled mug'
const tooMany = { code: 'TOO_MANY_REQUESTS', status: 429 }

/** The addresses that one Gmail mailbox receives: with tags, and with dots. */
function mailbox() {
  const name = newName()
  const addresses = [1, 2, 3, 4, 5, 6].map((tag) => `${name.slice(0, tag)}.${name.slice(tag)}+${tag}@gmail.com`)
  return { addresses, mails: () => db().outboxMail.findMany({ where: { to: { in: addresses } } }) }
}

const signUp = (email: string) =>
  createAccount(visitor(), { firstName: 'Sue', lastName: '', username: newName(), email, password })

const linksTo = (to: string) => db().outboxMail.count({ where: { to, dedupeKey: { startsWith: 'confirm-email:' } } })

it('five sign-ups for one mailbox and 25 changes of their addresses send it at most ten emails', async () => {
  const { addresses, mails } = mailbox()
  const strangers: string[] = []
  for (const address of addresses.slice(0, 5)) {
    const ctx = contextFor(actorOf(await signUp(address)))
    for (let count = 0; count < 5; count += 1) {
      const email = stranger()
      strangers.push(email)
      await updateProfile(ctx, { email, password }).catch(() => null)
    }
  }
  expect((await mails()).length).toBeLessThanOrEqual(10)
  expect(await db().outboxMail.count({ where: { to: { in: strangers } } })).toBe(3)
})

it('the sixth sign-up for one mailbox within an hour creates an account, but sends no email', async () => {
  const { addresses, mails } = mailbox()
  for (const address of addresses) expect((await signUp(address)).email).toBe(address)
  expect(await mails()).toHaveLength(5)
  const sixth = await db().user.findUniqueOrThrow({ where: { email: addresses[5]! } })
  expect(await db().token.count({ where: { userId: sixth.id } })).toBe(0)
  // The screen must not say that the link was sent.
  await expect(requestEmailConfirmation(contextFor(actorOf(sixth)))).rejects.toMatchObject({
    ...tooMany,
    message: expect.stringMatching(/^Too many attempts\. Please try again in/) as string,
  })
  const email = addresses[0]!.replace('+', '+again')
  const draft = { firstName: 'Sue', lastName: '', username: newName(), email, password }
  await createDraftedAccount(visitor(), await draftAccount(visitor(), draft), 'pro')
  expect(await linksTo(email)).toBe(0)
})

it('a sign-up that fails does not use up the emails of its mailbox', async () => {
  const { username } = await makeSeller()
  const email = stranger()
  const account = { firstName: 'Sue', lastName: '', email, password }
  const draft = await draftAccount(visitor(), { ...account, username: newName() })
  for (let count = 0; count < 6; count += 1) {
    const taken = createDraftedAccount(visitor(), { ...draft, username: username! }, 'free')
    await expect(taken).rejects.toMatchObject({ code: 'USERNAME_TAKEN' })
  }
  await signUp(email)
  expect(await linksTo(email)).toBe(1)
})

it('accounts that have not confirmed their mailbox can change their addresses three times a day in all', async () => {
  const { addresses } = mailbox()
  const [one, two] = [await signUp(addresses[0]!), await signUp(addresses[1]!)].map((user) => contextFor(actorOf(user)))
  for (const ctx of [one!, two!, one!]) await updateProfile(ctx, { email: stranger(), password })
  // A taken address sends no email, so it does not count and is still reported as taken.
  const taken = await makeSeller()
  await expect(updateProfile(two!, { email: taken.email, password })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  await expect(updateProfile(two!, { email: stranger(), password })).rejects.toMatchObject({
    ...tooMany,
    field: 'email',
    message: expect.stringMatching(/confirm this one first, or try again tomorrow/) as string,
  })
  const { userId } = two!.actor
  await db().user.update({ where: { id: userId }, data: { emailConfirmedAt: new Date() } })
  await updateProfile(two!, { email: stranger(), password })
})

it('the notice to an address that nobody confirmed is not urgent, and the link for the new address is', async () => {
  for (const emailConfirmedAt of [null, new Date()]) {
    const user = await makeSeller({ emailConfirmedAt })
    const email = stranger()
    await updateProfile(contextFor(actorOf(user)), { email })
    const isUrgent = async (to: string) => (await db().outboxMail.findFirstOrThrow({ where: { to } })).isUrgent
    expect(await isUrgent(user.email)).toBe(emailConfirmedAt !== null)
    expect(await isUrgent(email)).toBe(true)
  }
})

it('the notices to a confirmed address do not count for its mailbox', async () => {
  const { addresses } = mailbox()
  const owner = await makeSeller({ email: addresses[0]!, emailConfirmedAt: new Date() })
  for (const email of addresses.slice(1)) await updateProfile(contextFor(actorOf(await makeSeller())), { email })
  await updateProfile(contextFor(actorOf(owner)), { email: stranger() })
})

it('accounts that have not confirmed their mailbox share the ten changes of their sign-ins in an hour', async () => {
  const { addresses, mails } = mailbox()
  const passwordHash = await hashPassword(password)
  const users = await Promise.all(addresses.slice(0, 3).map((email) => makeSeller({ email, passwordHash })))
  const change = async (user: (typeof users)[number], from: string, to: string) =>
    changePassword(contextFor(actorOf(user)), { password: from, newPassword: to })
  for (const user of users.slice(0, 2)) {
    for (let count = 0; count < 5; count += 1) {
      await change(user, count === 0 ? password : `another mug ${count - 1}`, `another mug ${count}`)
    }
  }
  await expect(change(users[2]!, password, 'one more mug')).rejects.toMatchObject(tooMany)
  expect(await mails()).toHaveLength(10)
  // After the owner has confirmed the address, the account counts alone.
  await db().user.update({ where: { id: users[2]!.id }, data: { emailConfirmedAt: new Date() } })
  await change(users[2]!, password, 'one more mug')
})

it('accounts that have not confirmed their mailbox share the emails about forgotten passwords and usernames', async () => {
  const { addresses, mails } = mailbox()
  for (const email of addresses) await makeSeller({ email, emailConfirmedAt: null })
  const forget = async () => {
    for (const email of addresses) {
      await requestPasswordReset(visitor(), { email })
      await sendUsername(visitor(), { email })
    }
  }
  // The first emails are always sent. Otherwise a stranger could use up the limit with another spelling.
  await forget()
  expect(await mails()).toHaveLength(2 * addresses.length)
  await forget()
  expect(await mails()).toHaveLength(2 * addresses.length + 4)
  // A confirmed account counts alone.
  const owner = await makeSeller({ email: addresses[0]!.replace('+', '+own'), emailConfirmedAt: new Date() })
  await requestPasswordReset(visitor(), { email: owner.email })
  expect(await db().outboxMail.count({ where: { to: owner.email } })).toBe(1)
})
