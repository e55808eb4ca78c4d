import { buyerKeyOf } from '@/lib/drops/count-tap'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { HOSTED_HOLD_MS } from '@/lib/orders/rules'
import type { StartedCheckout } from '@/lib/orders/start-checkout'
import { sweepCheckouts } from '@/lib/orders/sweep-checkouts'
import { yieldHolds } from '@/lib/orders/yield-holds'
import { makeCoded } from '@/tests/support/coded-drop'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/money-audit'
import { ageHolds, startBuying } from '@/tests/support/shop'

// Two sessions a second make a crowd of a few buyers (ADR 0052). The environment is read when it is first needed.
process.env.STRIPE_SESSIONS_PER_SECOND = '2'

examineMoneyAfterEach()
beforeEach(() => db().stripeLine.deleteMany())
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

const buy = (dropId: number, buyerToken = newSecret()): Promise<StartedCheckout> =>
  startBuying(visitor(), { dropId, quantity: 1, buyerToken })

const holdsOf = (dropId: number) => db().hold.findMany({ where: { dropId }, include: { order: true } })

/** Makes it the turn of everybody who waits. */
const endWait = (dropId: number) =>
  db().hold.updateMany({ where: { dropId, opensAt: { not: null } }, data: { opensAt: new Date() } })

/** Fills the line, so that the next buyers have to wait. */
const fillLine = (seconds: number) =>
  db().stripeLine.create({ data: { id: 1, nextAt: new Date(Date.now() + seconds * SECOND_MS) } })

const isWaiting = (one: StartedCheckout): one is Extract<StartedCheckout, { wait: unknown }> => 'wait' in one

async function pathOf(started: StartedCheckout | Promise<StartedCheckout>): Promise<string> {
  const one = await started
  if (isWaiting(one)) throw new Error('still waiting')
  return new URL(one.url).pathname
}

it('refuses nobody in a crowd: all units are held at once, and each buyer learns their true place', async () => {
  const drop = await makeDrop({ quantity: 12 })
  const tokens = Array.from({ length: 12 }, () => newSecret())
  await fillLine(60)
  const started = await Promise.all(tokens.map((token) => buy(drop.id, token)))
  expect(started.filter(isWaiting)).toHaveLength(12)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 12, sold: 0 })

  // Two a second: half a second lies between two turns.
  const holds = await holdsOf(drop.id)
  const turns = holds.map(({ opensAt }) => opensAt?.getTime() ?? Number.NaN).sort((a, b) => a - b)
  expect((turns[11] ?? 0) - (turns[0] ?? 0)).toBeGreaterThan(5_000)
  expect((turns[11] ?? 0) - (turns[0] ?? 0)).toBeLessThan(6_500)

  // A buyer who asks again keeps the hold and the turn, and is told how many are ahead at that moment.
  const again = await Promise.all(tokens.map((token) => buy(drop.id, token)))
  for (const [index, one] of again.entries()) {
    const earlier = started[index]
    if (!earlier || !isWaiting(earlier) || !isWaiting(one)) throw new Error('not in line any more')
    expect(one.wait.ahead).toBeLessThanOrEqual(earlier.wait.ahead)
    expect(Math.abs(one.wait.seconds - one.wait.ahead / 2)).toBeLessThanOrEqual(1)
  }
  expect((await holdsOf(drop.id)).map(({ id }) => id).sort()).toEqual(holds.map(({ id }) => id).sort())

  await endWait(drop.id)
  const paths = await Promise.all(tokens.map((token) => pathOf(buy(drop.id, token))))
  expect(new Set(paths).size).toBe(12)
  expect(await holdsOf(drop.id)).toHaveLength(12)
})

it('begins the time of a hold when the card page is there', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const token = newSecret()
  await fillLine(90)
  expect(await buy(drop.id, token)).toMatchObject({ wait: { ahead: expect.any(Number) as number } })
  const [waiting] = await holdsOf(drop.id)
  const graceMs = (waiting?.expiresAt.getTime() ?? 0) - (waiting?.opensAt?.getTime() ?? 0)
  expect(graceMs).toBe(MINUTE_MS)
  expect(waiting?.order?.stripeSessionId).toBeNull()

  await endWait(drop.id)
  const from = Date.now()
  await pathOf(buy(drop.id, token))
  const [opened] = await holdsOf(drop.id)
  expect(opened?.id).toBe(waiting?.id)
  expect(Math.abs((opened?.expiresAt.getTime() ?? 0) - from - HOSTED_HOLD_MS)).toBeLessThan(10 * SECOND_MS)
  const session = await stripe().checkout.sessions.retrieve(opened?.order?.stripeSessionId ?? '')
  expect(session.expires_at).toBe(Math.floor((opened?.expiresAt.getTime() ?? 0) / SECOND_MS))
})

it('puts the units of a buyer who has left the line back on sale', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const token = newSecret()
  await fillLine(90)
  await buy(drop.id, token)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  await sweepCheckouts(systemContext('test'))
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0, sold: 0 })
  await db().stripeLine.deleteMany()
  // Another buyer gets the unit, and the first one is told that all units are in checkout.
  await pathOf(buy(drop.id))
  await expect(buy(drop.id, token)).rejects.toMatchObject({ code: 'ALL_IN_CHECKOUT' })
})

it('a buyer in line keeps the price of their code, also when their units went back on sale', async () => {
  const { drop } = await makeCoded()
  const buyer = { dropId: drop.id, quantity: 1, buyerToken: newSecret() }
  await fillLine(90)
  const plain = await startBuying(visitor(), { ...buyer, buyerToken: newSecret() })
  expect(plain).toMatchObject({ wait: expect.any(Object), code: '' })
  await startBuying(visitor(), { ...buyer, code: 'friends' })
  // Who said nothing about a code is in line with the one of their hold, and learns which to ask with from now on.
  const started = await startBuying(visitor(), buyer)
  if (!isWaiting(started)) throw new Error('not in line any more')
  expect(started.code).toBe('FRIENDS')
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  await sweepCheckouts(systemContext('test'))
  await db().stripeLine.deleteMany()
  await pathOf(startBuying(visitor(), { ...buyer, code: started.code }))
  const orders = await db().order.findMany({ where: { dropId: drop.id, status: 'pending' } })
  expect(orders).toMatchObject([{ discountCode: 'FRIENDS', unitPriceCents: 1920 }])
})

it('opens one session when a buyer asks many times at once as their turn comes', async () => {
  const drop = await makeDrop({ quantity: 3 })
  const token = newSecret()
  await fillLine(90)
  await buy(drop.id, token)
  await endWait(drop.id)
  const paths = await Promise.all(Array.from({ length: 8 }, () => pathOf(buy(drop.id, token))))
  expect(new Set(paths).size).toBe(1)
  expect(await holdsOf(drop.id)).toHaveLength(1)
})

it('keeps the units and becomes slower when Stripe gets too many calls', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const token = newSecret()
  const api = { kind: 'rate-limit', path: '/v1/checkout/sessions', remaining: 1, delayMs: 0 } as const
  await standIn()!.setFaults({ api, deliveries: null })
  expect(await buy(drop.id, token)).toMatchObject({ wait: { seconds: expect.any(Number) as number } })
  const [hold] = await holdsOf(drop.id)
  expect(hold).toMatchObject({ state: 'held', opensAt: expect.any(Date) as Date })
  const { slowUntil } = await db().stripeLine.findUniqueOrThrow({ where: { id: 1 } })
  expect(slowUntil?.getTime()).toBeGreaterThan(Date.now() + 20 * SECOND_MS)
  await endWait(drop.id)
  await pathOf(buy(drop.id, token))
  expect(await holdsOf(drop.id)).toMatchObject([{ id: hold?.id, state: 'held', opensAt: null }])
})

it('keeps the units of buyers who wait, also where too many units are unpaid', async () => {
  const drop = await makeDrop({ quantity: 4 })
  await fillLine(60)
  const last = newSecret()
  for (const token of [newSecret(), newSecret(), newSecret(), last]) {
    expect(await buy(drop.id, token)).toHaveProperty('wait')
  }
  await ageHolds(drop.id, 55)
  expect(await yieldHolds(systemContext('test'))).toBe(0)

  // One gets to the payment page and does not pay: only those units go back.
  await db().hold.updateMany({ where: { dropId: drop.id, buyerKey: buyerKeyOf(last) }, data: { opensAt: new Date() } })
  await pathOf(buy(drop.id, last))
  await ageHolds(drop.id, 55)
  expect(await yieldHolds(systemContext('test'))).toBe(1)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 3 })
})

it('lets a single buyer through at once', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const from = performance.now()
  await pathOf(buy(drop.id))
  expect(performance.now() - from).toBeLessThan(400)
})
