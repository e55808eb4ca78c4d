import { buyerKeyOf } from '@/lib/checkout/choices/count-tap'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { type Context, systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { takePlace } from '@/lib/infra/stripe-line'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { openSession } from '@/lib/checkout/open-session'
import { findPublicDrop } from '@/lib/drops/queries'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import { startCheckout, type StartedCheckout } from '@/lib/checkout/start-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { startWalletPayment } from '@/lib/checkout/wallet/start-wallet-payment'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, startBuying } from '@/tests/support/shop'
import { readWork, workAskedBy } from '@/tests/support/work'

// With only two sessions a second, a few buyers already have to wait in line (ADR 0052). The environment is read on
// first use, so setting it here is early enough.
process.env.STRIPE_SESSIONS_PER_SECOND = '2'

examineMoneyAfterEach()
beforeEach(() => db().stripeLine.deleteMany())
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

const buy = (dropId: number, buyerToken = newSecret()): Promise<StartedCheckout> =>
  startBuying(visitor(), { dropId, quantity: 1, buyerToken })

const holdsOf = (dropId: number) => db().hold.findMany({ where: { dropId }, include: { order: true } })

/** Begins the turn of every buyer who waits for this drop. */
const endWait = (dropId: number) =>
  db().hold.updateMany({ where: { dropId, opensAt: { not: null } }, data: { opensAt: new Date() } })

/** Fills the line for the given number of seconds, so that the next buyers have to wait. */
const fillLine = (seconds: number) =>
  db().stripeLine.create({ data: { id: 1, nextAt: new Date(Date.now() + seconds * SECOND_MS) } })

const isWaiting = (one: StartedCheckout): one is Extract<StartedCheckout, { wait: unknown }> => 'wait' in one

async function pathOf(started: StartedCheckout | Promise<StartedCheckout>): Promise<string> {
  const one = await started
  if (isWaiting(one)) throw new Error('still waiting')
  return new URL(one.url).pathname
}

it('a tap on a wallet waits in the line for payment intents, and is refused when the wait is longer than 300 ms', async () => {
  const drop = await makeDrop()
  const tap = () =>
    startWalletPayment(visitor(), { dropId: drop.id, buyerToken: newSecret() }, new AbortController().signal)
  await fillLine(60)
  await tap()
  const nextAt = new Date(Date.now() + 2 * SECOND_MS)
  await db().stripeLine.update({ where: { id: 2 }, data: { nextAt } })
  await expect(tap()).rejects.toMatchObject({ code: 'WALLET_BUSY' })
  expect(await db().stripeLine.findUniqueOrThrow({ where: { id: 2 } })).toMatchObject({ nextAt })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 1 })
})

it('holds a unit for each buyer of a crowd right away, and gives each buyer the correct place in line', async () => {
  const drop = await makeDrop({ quantity: 12 })
  const tokens = Array.from({ length: 12 }, () => newSecret())
  await fillLine(60)
  const started = await Promise.all(tokens.map((token) => buy(drop.id, token)))
  expect(started.filter(isWaiting)).toHaveLength(12)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 12, sold: 0 })

  // At two sessions a second, half a second lies between two turns.
  const holds = await holdsOf(drop.id)
  const turns = holds.map(({ opensAt }) => opensAt?.getTime() ?? Number.NaN).sort((a, b) => a - b)
  expect((turns[11] ?? 0) - (turns[0] ?? 0)).toBeGreaterThan(5_000)
  expect((turns[11] ?? 0) - (turns[0] ?? 0)).toBeLessThan(6_500)

  // A buyer who asks again keeps the hold and the turn, and the response says how many buyers are ahead at that moment.
  const again = await Promise.all(tokens.map((token) => buy(drop.id, token)))
  for (const [index, one] of again.entries()) {
    const earlier = started[index]
    if (!earlier || !isWaiting(earlier) || !isWaiting(one)) throw new Error('not in line anymore')
    expect(one.wait.ahead).toBeLessThanOrEqual(earlier.wait.ahead)
    expect(Math.abs(one.wait.seconds - one.wait.ahead / 2)).toBeLessThanOrEqual(1)
  }
  expect((await holdsOf(drop.id)).map(({ id }) => id).sort()).toEqual(holds.map(({ id }) => id).sort())

  await endWait(drop.id)
  const paths = await Promise.all(tokens.map((token) => pathOf(buy(drop.id, token))))
  expect(new Set(paths).size).toBe(12)
  expect(await holdsOf(drop.id)).toHaveLength(12)
})

it('starts the time limit of a hold when the payment page opens', async () => {
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
  // Another buyer gets the unit, and the first one is refused because all units are in checkout.
  await pathOf(buy(drop.id))
  await expect(buy(drop.id, token)).rejects.toMatchObject({ code: 'ALL_IN_CHECKOUT' })
})

it('a buyer in line keeps the price of the discount code, even after the units went back on sale', async () => {
  const { drop } = await makeCodedDrop()
  const buyer = { dropId: drop.id, quantity: 1, buyerToken: newSecret() }
  await fillLine(90)
  const plain = await startBuying(visitor(), { ...buyer, buyerToken: newSecret() })
  expect(plain).toMatchObject({ wait: expect.any(Object), code: '' })
  await startBuying(visitor(), { ...buyer, code: 'friends' })
  // A request without a code keeps the code of the hold. The response names that code, so that later requests can send
  // it.
  const started = await startBuying(visitor(), buyer)
  if (!isWaiting(started)) throw new Error('not in line anymore')
  expect(started.code).toBe('FRIENDS')
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  await sweepCheckouts(systemContext('test'))
  await db().stripeLine.deleteMany()
  await pathOf(startBuying(visitor(), { ...buyer, code: started.code }))
  const orders = await db().order.findMany({ where: { dropId: drop.id, status: 'pending' } })
  expect(orders).toMatchObject([{ discountCode: 'FRIENDS', unitPriceCents: 1920 }])
})

it('opens one session when a buyer sends many requests at the moment of their turn', async () => {
  const drop = await makeDrop({ quantity: 3 })
  const token = newSecret()
  await fillLine(90)
  await buy(drop.id, token)
  await endWait(drop.id)
  const paths = await Promise.all(Array.from({ length: 8 }, () => pathOf(buy(drop.id, token))))
  expect(new Set(paths).size).toBe(1)
  expect(await holdsOf(drop.id)).toHaveLength(1)
})

it('keeps the units held and opens sessions more slowly after Stripe has refused a call because of its rate limit', async () => {
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

it('takes no units from buyers who wait in line, even when too many units are unpaid', async () => {
  const drop = await makeDrop({ quantity: 4 })
  await fillLine(60)
  const last = newSecret()
  for (const token of [newSecret(), newSecret(), newSecret(), last]) {
    expect(await buy(drop.id, token)).toHaveProperty('wait')
  }
  await ageHolds(drop.id, 55)
  expect(await yieldHolds(systemContext('test'))).toBe(0)

  // One buyer reaches the payment page and does not pay, so only the unit of this buyer goes back on sale.
  await db().hold.updateMany({ where: { dropId: drop.id, buyerKey: buyerKeyOf(last) }, data: { opensAt: new Date() } })
  await pathOf(buy(drop.id, last))
  await ageHolds(drop.id, 55)
  expect(await yieldHolds(systemContext('test'))).toBe(1)
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 3 })
})

it('requires a proof of work from a network that has ten checkouts in line, counted over all drops, but not from other networks', async () => {
  const drops = [await makeDrop({ quantity: 1_000 }), await makeDrop({ quantity: 1_000 })]
  const [first, second] = drops.map(({ id }) => id) as [number, number]
  const from = (ctx: Context, dropId: number) => startBuying(ctx, { dropId, quantity: 1, buyerToken: newSecret() })
  await fillLine(60)
  const flood = visitorFrom('203.0.113.90')
  for (let taken = 0; taken < 10; taken += 1) {
    expect(await from(flood, taken % 2 ? first : second)).toHaveProperty('wait')
  }
  const ask = () => startCheckout(flood, { dropId: first, quantity: 1, buyerToken: newSecret() })
  const asked = await workAskedBy(ask())
  expect(readWork(asked).work).toBe(50_000)
  // With a proof of work, the network gets another place.
  expect(await from(flood, second)).toHaveProperty('wait')
  expect(await startCheckout(visitor(), { dropId: first, quantity: 1, buyerToken: newSecret() })).toHaveProperty('wait')
})

it('counts the places of buyers who have left until their turn, so that leaving the line needs as much work', async () => {
  const drop = await makeDrop({ quantity: 1_000 })
  const flood = visitorFrom('203.0.113.91')
  await fillLine(60)
  const joinAndLeave = async () => {
    await startBuying(flood, { dropId: drop.id, quantity: 1, buyerToken: newSecret() })
    for (const { id } of await holdsOf(drop.id)) await releaseHold(systemContext('test'), id, 'cancelled')
  }
  for (let round = 0; round < 10; round += 1) await joinAndLeave()
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0 })
  await workAskedBy(startCheckout(flood, { dropId: drop.id, quantity: 1, buyerToken: newSecret() }))
  expect(await buy(drop.id)).toHaveProperty('wait')
  await endWait(drop.id)
  expect(await startCheckout(flood, { dropId: drop.id, quantity: 1, buyerToken: newSecret() })).toHaveProperty('wait')
})

it('lets one network take sixty places a minute for taps on a wallet, whatever it taps on', async () => {
  const tap = async (ip: string) => {
    await db().stripeLine.deleteMany()
    const input = { dropId: 2_147_483_647, buyerToken: newSecret() }
    return startWalletPayment(visitorFrom(ip), input, new AbortController().signal).catch(({ code }) => String(code))
  }
  const codes: unknown[] = []
  for (let count = 0; count < 60; count += 1) codes.push(await tap('203.0.113.92'))
  expect(new Set(codes)).toEqual(new Set(['DROP_NOT_FOUND']))
  expect(await tap('203.0.113.92')).toBe('WALLET_BUSY')
  expect(await db().stripeLine.count()).toBe(0)
  expect(await tap('203.0.113.93')).toBe('DROP_NOT_FOUND')
})

it('gives no place in a line that is ten minutes long, and releases the units', async () => {
  const drop = await makeDrop({ quantity: 1 })
  await fillLine(11 * 60)
  const { nextAt } = await db().stripeLine.findUniqueOrThrow({ where: { id: 1 } })
  await expect(buy(drop.id)).rejects.toMatchObject({ code: 'LINE_FULL', status: 503, retryAfterSeconds: 60 })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0 })
  expect((await db().stripeLine.findUniqueOrThrow({ where: { id: 1 } })).nextAt).toEqual(nextAt)
})

it('the embedded form waits in the line for payment intents with its unit held, and keeps its place', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const buyerToken = newSecret()
  const start = () => startEmbeddedCheckout(visitor(), { dropId: drop.id, buyerToken })
  await db().stripeLine.create({ data: { id: 2, nextAt: new Date(Date.now() + 60 * SECOND_MS) } })
  await expect(start()).rejects.toMatchObject({ code: 'IN_LINE', status: 503, retryAfterSeconds: expect.any(Number) })
  const [waiting] = await holdsOf(drop.id)
  expect(waiting).toMatchObject({ state: 'held', opensAt: expect.any(Date), order: { stripePaymentIntentId: null } })
  await expect(start()).rejects.toMatchObject({ code: 'IN_LINE' })
  expect((await holdsOf(drop.id)).map(({ opensAt }) => opensAt)).toEqual([waiting?.opensAt])
  await endWait(drop.id)
  const { expiresAt } = await start()
  expect(Math.round((expiresAt.getTime() - Date.now()) / MINUTE_MS)).toBe(10)
})

it('the embedded form keeps its unit when Stripe refuses its payment intent because of the rate limit', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const buyerToken = newSecret()
  const start = () => startEmbeddedCheckout(visitor(), { dropId: drop.id, buyerToken })
  const api = { kind: 'rate-limit', path: '/v1/payment_intents', remaining: 1, delayMs: 0 } as const
  await standIn()!.setFaults({ api, deliveries: null })
  await expect(start()).rejects.toMatchObject({ code: 'IN_LINE' })
  expect(await holdsOf(drop.id)).toMatchObject([{ state: 'held', opensAt: expect.any(Date) as Date }])
  await endWait(drop.id)
  await expect(start()).resolves.toHaveProperty('clientSecret')
})

it('opens the session of a single buyer without waiting', async () => {
  // The database measures a few microseconds between two readings of its clock.
  expect((await takePlace(database().sql, 'sessions'))?.waitMs).toBeLessThan(2)
  await db().stripeLine.deleteMany()
  const drop = await makeDrop({ quantity: 1 })
  await pathOf(buy(drop.id))
})

it('a buyer whose process died before it knew the payment page still gets the unit after a wait in line', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const token = newSecret()
  await pathOf(buy(drop.id, token))
  await db().order.updateMany({ where: { dropId: drop.id }, data: { stripeSessionId: null, checkoutUrl: null } })
  await ageHolds(drop.id, 30)
  // The session of that call would have ended 30 seconds earlier than one that is opened now.
  const { id } = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  await db().sandboxIdempotencyKey.update({ where: { key: `checkout-${id}` }, data: { requestHash: 'earlier' } })
  await db().stripeLine.deleteMany()
  await fillLine(60)
  expect(isWaiting(await buy(drop.id, token))).toBe(true)
  await endWait(drop.id)
  await db().stripeLine.deleteMany()
  expect(await pathOf(buy(drop.id, token))).toContain('/checkout/')
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 1 })
})

it('a slow call does not replace the payment page that another call has opened for the same order meanwhile', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const buyer = { dropId: drop.id, quantity: 1, buyerKey: newSecret(), mode: 'hosted', holdMs: HOSTED_HOLD_MS } as const
  const hold = (await takeHold(visitor(), buyer))!
  const row = (await findPublicDrop(database(), String(drop.id)))!
  const url = await openSession(visitor(), row, hold, 1)
  const later = { ...hold, expiresAt: new Date(hold.expiresAt.getTime() + 30_000) }
  expect(await openSession(visitor(), row, later, 1)).toBe(url)
  const sessions = await stripe().checkout.sessions.list({ limit: 2 })
  expect(sessions.data.map(({ status }) => status).sort()).toEqual(['expired', 'open'])
})
