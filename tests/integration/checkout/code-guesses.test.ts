import type { Context } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import type { AppError } from '@/lib/kernel/app-error'
import { newSecret } from '@/lib/kernel/id'
import { priceCode } from '@/lib/checkout/choices/choose-code'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { visitorFrom } from '@/tests/support/factories'

// Each test uses its own network, because a network may try at most 60 unknown codes an hour.
afterAll(closeDatabase)

const GUESSES = 60

function asker(ctx: Context, dropId: number) {
  return (code: string, buyerToken = newSecret()) =>
    startEmbeddedCheckout(ctx, { dropId, buyerToken, code }).then(
      () => 'opened',
      (error: { code: string }) => error.code,
    )
}

const manyOf = <Result>(count: number, run: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => run(at)))

it('checks no more wrong codes than the limit, even when they are sent at once', async () => {
  const { drop } = await makeCodedDrop()
  const ask = asker(visitorFrom('203.0.113.20'), drop.id)
  const answers = await manyOf(GUESSES * 2, (at) => ask(`TRY-${at}`))
  expect(answers.filter((answer) => answer === 'CODE_UNKNOWN')).toHaveLength(GUESSES)
  expect(answers.filter((answer) => answer === 'TOO_MANY_CODES')).toHaveLength(GUESSES)
  expect(await ask('FRIENDS')).toBe('TOO_MANY_CODES')
  expect(await ask('')).toBe('opened')
})

it('does not count correct codes, and says when the next code may be tried', async () => {
  const { drop } = await makeCodedDrop({}, { quantity: 400 })
  const ctx = visitorFrom('203.0.113.21')
  const ask = asker(ctx, drop.id)
  const buyerToken = newSecret()
  expect(await ask('FRIENDS', buyerToken)).toBe('opened')
  for (let at = 0; at < GUESSES - 1; at += 1) expect(await ask(`TRY-${at}`)).toBe('CODE_UNKNOWN')
  for (let at = 0; at < 5; at += 1) expect(await ask('FRIENDS')).toBe('opened')
  expect(await ask('LAST-TRY')).toBe('CODE_UNKNOWN')
  await db().rateLimit.updateMany({
    where: { key: { startsWith: 'wrong-code:' } },
    data: { expire: BigInt(Date.now() + 90_000) },
  })
  const refused = startEmbeddedCheckout(ctx, { dropId: drop.id, buyerToken: newSecret(), code: 'FRIENDS' })
  const refusal = await refused.catch((error: unknown) => error as AppError)
  expect(refusal).toMatchObject({ code: 'TOO_MANY_CODES', retryAfterSeconds: expect.any(Number) })
  expect((refusal as AppError).retryAfterSeconds).toBeLessThanOrEqual(90)
  // The code of the buyer's own open checkout does not count as a guess.
  expect(await ask(' friends', buyerToken)).toBe('opened')
  const given = { typed: 'FRIENDS', isFromOtherSite: false }
  expect(await priceCode(ctx, drop, { ...given, buyerToken })).toEqual({ code: 'FRIENDS', cents: 480 })
  expect(await priceCode(ctx, drop, { ...given, buyerToken: null })).toEqual({
    problem: expect.stringContaining('too many codes'),
  })
})

it('counts wrong codes for each browser if the address is that of an unknown proxy', async () => {
  const { drop } = await makeCodedDrop()
  const ask = asker({ ...visitorFrom('203.0.113.22'), isUnknownProxy: true }, drop.id)
  const guesser = newSecret()
  await manyOf(GUESSES, (at) => ask(`TRY-${at}`, guesser))
  expect(await ask('TRY-AGAIN', guesser)).toBe('TOO_MANY_CODES')
  expect(await ask('FRIENDS')).toBe('opened')
})

it('counts codes in links on other sites separately, so that such a site cannot use up the attempts of its visitors', async () => {
  const { drop } = await makeCodedDrop()
  const ctx = visitorFrom('203.0.113.23')
  const follow = (typed: string) => priceCode(ctx, drop, { typed, buyerToken: null, isFromOtherSite: true })
  const problems = await manyOf(GUESSES + 1, (at) => follow(`TRY-${at}`))
  expect(problems.filter((one) => one && 'problem' in one && one.problem.includes('too many codes'))).toHaveLength(1)
  expect(await follow('FRIENDS')).toEqual({ problem: expect.stringContaining('too many codes') })
  expect(await asker(ctx, drop.id)('FRIENDS')).toBe('opened')
})
