import { createAccount, createDraftedAccount, draftAccount } from '@/lib/accounts/create-account'
import { closeDatabase, db } from '@/lib/infra/db'
import { verifyPassword } from '@/lib/infra/password'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const input = () => {
  const name = `u${newId('x').slice(2, 14).toLowerCase()}`
  return { firstName: 'Mira', lastName: '', username: name, email: `${name}@example.com`, password: 'speckled mug' }
}

it('creates exactly five accounts an hour from one network address, even for parallel requests', async () => {
  const ctx = visitor()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => createAccount(ctx, input())))
  const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'in'))
  const refusal = 'AppError: Too many attempts. Please try again in an hour.'
  expect(reasons.toSorted()).toEqual([...Array<string>(15).fill(refusal), ...Array<string>(5).fill('in')])
  await expect(createAccount(visitor(), input())).resolves.toBeTruthy()
})

it('does not count a sign-up that failed because the name was taken', async () => {
  const ctx = visitor()
  const taken = input()
  await createAccount(ctx, taken)
  for (let time = 0; time < 6; time += 1) {
    const again = { ...input(), username: taken.username }
    await expect(createAccount(ctx, again)).rejects.toMatchObject({ code: 'USERNAME_TAKEN' })
  }
  await expect(createAccount(ctx, input())).resolves.toBeTruthy()
})

it('stores a sign-up for the plan step without the plaintext password', async () => {
  const typed = input()
  const draft = await draftAccount(visitor(), typed)
  expect(JSON.stringify(draft)).not.toContain(typed.password)
  const user = await createDraftedAccount(visitor(), draft, 'pro')
  expect(user).toMatchObject({ username: typed.username, plan: 'free', planIntent: 'pro' })
  expect(await verifyPassword(user.passwordHash, typed.password)).toBe(true)
  await expect(createDraftedAccount(visitor(), draft, 'pro')).rejects.toMatchObject({ status: 409 })
})

it('refuses a drafted username that became reserved for its former owner', async () => {
  const typed = input()
  const draft = await draftAccount(visitor(), typed)
  const reservedUntil = new Date(Date.now() + DAY_MS)
  const { id: userId } = await createAccount(visitor(), input())
  await db().reservedUsername.create({
    data: { username: typed.username, userId, reservedUntil, redirectsUntil: reservedUntil },
  })
  await expect(createDraftedAccount(visitor(), draft, 'pro')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' })
})

it('refuses a draft whose email address already has an account', async () => {
  const typed = input()
  await createAccount(visitor(), typed)
  await expect(draftAccount(visitor(), { ...input(), email: typed.email })).rejects.toMatchObject({
    code: 'EMAIL_TAKEN',
  })
})

it('creates one account for 50 simultaneous sign-ups with one username', async () => {
  const wanted = input()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, at) => createAccount(visitor(), { ...wanted, email: `${at}.${wanted.email}` })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await db().user.count({ where: { username: wanted.username } })).toBe(1)
})
