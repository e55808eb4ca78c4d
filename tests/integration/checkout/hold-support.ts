// Helpers for the tests of holds.
import { type Context, systemContext } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS } from '@/lib/kernel/time'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { type HoldInput, takeHold } from '@/lib/checkout/hold/take-hold'
import { answerWork, workAskedBy } from '@/tests/support/work'

export const job = () => systemContext('test')

type Buy = { quantity?: number; buyerToken?: string; work?: string; kind?: 'work' | 'wait' }

/**
 * Presses the buy button once, as a new browser unless `buyerToken` is given.
 * @returns the URL of the payment page.
 */
export async function buy(ctx: Context, dropId: number, options: Buy = {}): Promise<string> {
  const { quantity = 1, buyerToken = newSecret(), work, kind = 'work' } = options
  const started = await startCheckout(ctx, { dropId, quantity, buyerToken, proof: { given: work, kind } })
  if (!('url' in started)) throw new Error('the buyer has to wait in line')
  return started.url
}

/**
 * Presses the buy button and expects a refusal that requires a proof of work. Then computes the proof and presses the
 * button again.
 * @returns the URL of the payment page.
 */
export async function buyWithWork(ctx: Context, dropId: number, options: Buy = {}) {
  const buyerToken = options.buyerToken ?? newSecret()
  const asked = await workAskedBy(buy(ctx, dropId, { ...options, buyerToken }))
  return buy(ctx, dropId, { ...options, buyerToken, work: answerWork(asked) })
}

/**
 * Takes a hold of one unit without opening a checkout at Stripe. By default it comes from a new network that has done
 * its proof of work.
 * @returns null when no hold was taken.
 */
export const hold = (dropId: number, origin?: HoldInput['origin']) =>
  takeHold(job(), {
    dropId,
    quantity: 1,
    buyerKey: newSecret().slice(0, 40),
    mode: 'hosted',
    holdMs: 31 * MINUTE_MS,
    origin: origin ?? { key: newSecret(), work: { id: newSecret(), mostUnpaid: 100 } },
  })

export const stock = async (id: number) => {
  const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held }
}
export const holdsOf = (dropId: number) => db().hold.findMany({ where: { dropId }, orderBy: { createdAt: 'asc' } })
export const heldOf = async (dropId: number) => (await holdsOf(dropId)).filter(({ state }) => state === 'held')
export const newest = async (dropId: number) => (await holdsOf(dropId)).at(-1)!
export const sessionOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** Waits for all calls. @returns how many of them ended with each code, which is "ok" for a call that succeeded. */
export async function outcomesOf(calls: Promise<unknown>[]) {
  const outcomes = await Promise.allSettled(calls)
  const codes = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? 'ok' : (outcome.reason as { code: string }).code,
  )
  return Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((c) => c === code).length]))
}
