import { logIn } from '@/lib/accounts/log-in'
import { closeDatabase } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { makeSeller, strangeDevice, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

let address = 0
const from = (ip: string) => ({ ...visitor(), ip })
const freshIp = () => `10.9.0.${(address += 1)}`

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

it('lets exactly five of 200 parallel guesses from one address through', async () => {
  const { user } = await account()
  const ctx = from(freshIp())
  const attempts = Array.from({ length: 200 }, () =>
    logIn(ctx, { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 5, limited: 195 })
})

it('lets twenty an hour through from everywhere together', async () => {
  const { user } = await account()
  const attempts = Array.from({ length: 40 }, () =>
    logIn(from(freshIp()), { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 20, limited: 20 })
})

it('counts names nobody has like any other', async () => {
  const ctx = from(freshIp())
  const attempts = Array.from({ length: 10 }, () =>
    logIn(ctx, { email: `nobody${address}`, password: 'wrong one' }, strangeDevice),
  )
  expect(await outcomesOf(attempts)).toEqual({ wrong: 5, limited: 5 })
})

it('does not count right ones', async () => {
  const { user, password } = await account()
  const ctx = from(freshIp())
  for (let time = 0; time < 8; time += 1) {
    expect((await logIn(ctx, { email: user.email, password }, strangeDevice)).id).toBe(user.id)
  }
})

it('says when to come back, and never locks a known device out', async () => {
  const { user, password } = await account()
  const attempts = Array.from({ length: 60 }, () =>
    logIn(from(freshIp()), { email: user.email, password: 'wrong one' }, strangeDevice),
  )
  await outcomesOf(attempts)
  const stranger = logIn(from(freshIp()), { email: user.email, password }, strangeDevice)
  await expect(stranger).rejects.toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) })
  const owner = logIn(from(freshIp()), { email: user.email, password }, { isKnownTo: (id) => id === user.id })
  await expect(owner).resolves.toMatchObject({ id: user.id })
})
