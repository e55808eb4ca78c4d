import { flushCollectors } from '@/lib/infra/collector'
// In these tests, one machine with many addresses attacks one drop. `npm run bench:holds` does the same over HTTP with
// 1,000 addresses, and for longer.
import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, openCheckout } from '@/tests/support/shop'
import { answerWork } from '@/tests/support/work'

examineMoneyAfterEach()
afterAll(async () => {
  await flushCollectors()
  await closeDatabase()
})

const UNITS = 24
const ADDRESSES = 50
const COOKIES = 80
/** The number of proofs of work that the machine computes in a round. */
const SOLVES = 4
/** With a fixed seed, the addresses and quantities of the requests are the same in every run. */
const SEED = 1_404

/** Returns a generator of pseudo-random numbers from 0 up to but not including 1. They depend only on the seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const heldOf = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).held

/**
 * Starts a checkout with each cookie. The first SOLVES requests that are refused for lack of work are repeated with a
 * proof of work.
 */
async function attack(dropId: number, random: () => number) {
  const addresses = Array.from({ length: ADDRESSES }, (_, at) => visitorFrom(`198.18.${at >> 8}.${at & 255}`))
  let solves = SOLVES
  const ask = async (ctx: Context) => {
    const buyer = { dropId, buyerToken: newSecret(), quantity: 1 + Math.floor(random() * 10) }
    try {
      await startCheckout(ctx, buyer)
    } catch (error) {
      const { work } = error as { work?: string }
      if (!work || solves <= 0) return
      solves -= 1
      await startCheckout(ctx, { ...buyer, proof: { given: answerWork(work), kind: 'work' } }).catch(() => undefined)
    }
  }
  const asking = Array.from({ length: COOKIES }, () => addresses[Math.floor(random() * ADDRESSES)]!)
  for (let from = 0; from < COOKIES; from += 20) await Promise.all(asking.slice(from, from + 20).map(ask))
}

/** The first test computes real proofs of work, which takes a while on a busy computer. */
jest.setTimeout(120_000)

it('one machine never keeps more than half of the units for longer than a minute', async () => {
  const drop = await makeDrop({ quantity: UNITS })
  const random = randomFrom(SEED)
  for (let round = 0; round < 2; round += 1) {
    await attack(drop.id, random)
    expect(await heldOf(drop.id)).toBeGreaterThan(UNITS / 2 - 10)
    await ageHolds(drop.id, 55)
    await yieldHolds(systemContext('test'))
    expect(await heldOf(drop.id)).toBeLessThanOrEqual(UNITS / 2)
    // A buyer who arrives at this moment gets a unit.
    await expect(openCheckout(drop.id)).resolves.toMatchObject({ url: expect.stringMatching(/^http/) })
  }
})

it('right after units went back on sale, an order of ten units needs work and an order of one unit does not', async () => {
  const drop = await makeDrop({ quantity: 20 })
  const take = (quantity: number) => startCheckout(visitor(), { dropId: drop.id, buyerToken: newSecret(), quantity })
  await take(10)
  await take(10)
  await ageHolds(drop.id, 55)
  await yieldHolds(systemContext('test'))
  expect(await heldOf(drop.id)).toBe(10)
  await expect(take(10)).rejects.toMatchObject({ code: 'WORK_NEEDED' })
  await expect(take(1)).resolves.toMatchObject({ url: expect.stringMatching(/^http/) })
})

it('without work, one machine holds at most half of the units and one order more, once a minute has passed', async () => {
  const drop = await makeDrop({ quantity: UNITS })
  const take = () =>
    Promise.allSettled(
      Array.from({ length: 60 }, () =>
        startCheckout(visitor(), { dropId: drop.id, buyerToken: newSecret(), quantity: 3 }),
      ),
    )
  await take()
  for (let round = 0; round < 2; round += 1) {
    await ageHolds(drop.id, 55)
    await yieldHolds(systemContext('test'))
    expect(await heldOf(drop.id)).toBeLessThanOrEqual(UNITS / 2)
    await take()
    expect(await heldOf(drop.id)).toBeLessThanOrEqual(UNITS / 2 + 3)
  }
})
