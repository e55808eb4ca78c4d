import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import { findShownDrop, listRuns } from '@/lib/drops/history/history-queries'
import { toDropView } from '@/lib/drops/view'
import { unfollowLinks } from '@/lib/followers/unfollow-links'
import { leaveSeller } from '@/lib/followers/leave-seller'
import { leaveSellerSchema } from '@/lib/followers/schema'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId, newSecret } from '@/lib/kernel/id'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { chooseEarlyLink } from '@/lib/checkout/choices/choose-early-link'
import { openHold } from '@/lib/checkout/hold/open-hold'
import { refundOrder } from '@/lib/refunds/refund-order'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { reopenHold } from '@/lib/checkout/hold/reopen-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { startWalletPayment } from '@/lib/checkout/wallet/start-wallet-payment'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { getRecap } from '@/lib/payouts/get-recap'
import { makeEarlyDrop } from '@/tests/support/make-early-drop'
import { actorOf, contextFor, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { runNode } from '@/tests/support/run-node'
import { openCheckout, pay } from '@/tests/support/shop'
import { readOrdersCsv } from '@/tests/support/read-exports'

examineMoneyAfterEach()
afterAll(closeDatabase)

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
const later = (ms: number) => new Date(Date.now() + ms)
const dropOf = (id: number) => db().drop.findUniqueOrThrow({ where: { id } })
const buyer = () => ({ buyerToken: newSecret(), mode: 'hosted' as const, holdMs: HOUR_MS })
const hold = (dropId: number, early?: string, more: object = {}) =>
  openHold(visitor(), { dropId, quantity: 1, ...(early ? { early } : {}), ...buyer(), ...more })

async function buy(dropId: number, early: string, quantity = 1) {
  const opened = await openCheckout(dropId, { early, quantity })
  await pay(opened.url)
  expect(await settleCheckout(systemContext('test'), opened.sessionId)).toBe('paid')
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: opened.sessionId } })
}

describe('before the public start', () => {
  it('nobody without a link gets a unit, even if the clock of the process is wrong', async () => {
    const { drop, token } = await makeEarlyDrop({ startedAt: later(2 * MINUTE_MS) })
    for (const skewMs of [-5 * MINUTE_MS, 0, 5 * MINUTE_MS]) {
      const now = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + skewMs)
      const ctx = { ...visitor(), clock: { now: () => new Date(Date.now()) } }
      const input = { dropId: drop.id, quantity: 1, ...buyer() }
      await expect(openHold(ctx, input)).rejects.toMatchObject({ code: 'DROP_SCHEDULED' })
      const plain = { dropId: drop.id, quantity: 1, buyerKey: `k${skewMs}`, mode: 'hosted', holdMs: 1 } as const
      expect(await takeHold(ctx, plain)).toBeNull()
      now.mockRestore()
    }
    expect(await dropOf(drop.id)).toMatchObject({ held: 0, earlyTaken: 0 })
    expect((await hold(drop.id, token)).kind).toBe('fresh')
  })

  it('a link works from the early start on and not before, even if the clock of the process is wrong', async () => {
    const { drop, token, linkIds } = await makeEarlyDrop({ startedAt: later(62 * MINUTE_MS) })
    for (const skewMs of [-5 * MINUTE_MS, 0, 5 * MINUTE_MS]) {
      const ctx = { ...visitor(), clock: { now: () => later(skewMs) } }
      const input = { dropId: drop.id, quantity: 1, early: token, ...buyer() }
      await expect(openHold(ctx, input)).rejects.toMatchObject({ code: 'EARLY_NOT_OPEN', field: 'early' })
      const early = { dropId: drop.id, earlyLinkId: linkIds[0]!, quantity: 1, buyerKey: newSecret() }
      expect(await takeHold(ctx, { ...early, mode: 'hosted', holdMs: 1 })).toBeNull()
    }
    await db().drop.update({ where: { id: drop.id }, data: { startedAt: later(59 * MINUTE_MS) } })
    expect((await hold(drop.id, token)).kind).toBe('fresh')
  })

  it('the database refuses units that are not counted as early, or are more than followers may take', async () => {
    const { drop } = await makeEarlyDrop({ quantity: 4, earlyUnits: 9 })
    const take = (taken: number) =>
      db()
        .$executeRaw`UPDATE "Drop" SET "held" = "held" + 1, "earlyTaken" = "earlyTaken" + ${taken}::int WHERE "id" = ${drop.id}`
    await expect(take(0)).rejects.toThrow('has not started')
    for (let unit = 0; unit < 3; unit += 1) await take(1)
    await expect(take(1)).rejects.toThrow('has not started')
    await db().drop.update({ where: { id: drop.id }, data: { held: 0, earlyTaken: 0 } })
  })

  it('a sale is marked on its order, and the run says what followers bought', async () => {
    const { drop, token } = await makeEarlyDrop()
    const order = await buy(drop.id, token, 2)
    expect(order).toMatchObject({ isEarly: true, status: 'paid', quantity: 2 })
    expect(await dropOf(drop.id)).toMatchObject({ sold: 2, held: 0, earlyTaken: 2 })
    const row = await findShownDrop(database(), drop.uniqueId)
    expect(toDropView(row!)).toMatchObject({ state: 'upcoming', publicUnits: 5, earlyLeft: 3 })
    expect(toDropView(row!).history?.early).toEqual({ minutes: 60, sold: 2 })
    expect((await listRuns(database(), drop.id))[0]?.early).toEqual({ minutes: 60, sold: 2 })
  })

  it('a link works with the embedded checkout, with a wallet, with a value of an option and with a discount code', async () => {
    const { drop, tokens } = await makeEarlyDrop({ followers: 3, optionName: 'Size' })
    await db().optionValue.create({ data: { dropId: drop.id, value: 'M', quantity: 10, position: 0 } })
    await db().discountCode.create({ data: { dropId: drop.id, code: 'FRIENDS', percent: 20 } })
    const chosen = { dropId: drop.id, selectedVariants: { Size: 'M' } }
    const [first, second, third] = tokens
    const embedded = { ...chosen, buyerToken: newSecret(), early: first! }
    expect((await startEmbeddedCheckout(visitor(), embedded)).amountCents).toBe(2400)
    const wallet = { ...chosen, buyerToken: newSecret(), early: second!, code: 'FRIENDS' }
    expect((await startWalletPayment(visitor(), wallet, new AbortController().signal)).amountCents).toBe(1920)
    expect((await hold(drop.id, third, chosen)).kind).toBe('fresh')
    const holds = await db().hold.findMany({ where: { dropId: drop.id } })
    expect(holds.every(({ earlyLinkId, valueId }) => earlyLinkId !== null && valueId !== null)).toBe(true)
    expect(await db().order.count({ where: { dropId: drop.id, isEarly: true } })).toBe(3)
    expect(await dropOf(drop.id)).toMatchObject({ held: 3, earlyTaken: 3 })
  })

  it('a drop that is paused, hidden or in review, or whose seller is suspended, accepts no early buyer', async () => {
    for (const change of [{ isActive: false }, { hiddenAt: new Date() }, { moderation: 'review' as const }]) {
      const { drop, token, linkIds } = await makeEarlyDrop()
      await db().drop.update({ where: { id: drop.id }, data: change })
      await expect(hold(drop.id, token)).rejects.toMatchObject({ code: /DROP_(PAUSED|NOT_FOUND)/ })
      const early = { dropId: drop.id, earlyLinkId: linkIds[0]!, quantity: 1, buyerKey: newSecret() }
      expect(await takeHold(visitor(), { ...early, mode: 'hosted', holdMs: 1 })).toBeNull()
    }
    const { drop, seller, token } = await makeEarlyDrop()
    await db().user.update({ where: { id: seller.id }, data: { isSuspended: true } })
    await expect(hold(drop.id, token)).rejects.toMatchObject({ code: 'DROP_PAUSED' })
  })
})

describe('a link', () => {
  it.each([0, 1])(
    'buys once: a paid order uses it, and a refund that restocks %i units does not make it valid again',
    async (restockUnits) => {
      const { drop, seller, token } = await makeEarlyDrop()
      const order = await buy(drop.id, token)
      await expect(hold(drop.id, token)).rejects.toMatchObject({ code: 'EARLY_USED', status: 409 })
      await refundOrder(contextFor(actorOf(seller)), {
        orderId: order.id,
        refundId: newId('ref'),
        amountCents: 2400,
        restockUnits,
      })
      await expect(hold(drop.id, token)).rejects.toMatchObject({ code: 'EARLY_USED' })
    },
  )

  it('is free again when its hold is released', async () => {
    const { drop, token } = await makeEarlyDrop()
    const first = await hold(drop.id, token)
    if (first.kind !== 'fresh') throw new Error('no hold')
    await expect(hold(drop.id, token)).rejects.toMatchObject({ code: 'EARLY_IN_CHECKOUT' })
    expect(await releaseHold(systemContext('test'), first.hold.holdId, 'expired')).toBe(true)
    expect(await dropOf(drop.id)).toMatchObject({ held: 0, earlyTaken: 0 })
    expect((await hold(drop.id, token, { quantity: 2 })).kind).toBe('fresh')
    expect(await dropOf(drop.id)).toMatchObject({ held: 2, earlyTaken: 2 })
  })

  it('leads its own buyer back to the open checkout, and another quantity replaces that checkout', async () => {
    const { drop, token } = await makeEarlyDrop({ earlyUnits: 2 })
    const mine = { buyerToken: newSecret(), early: token }
    const first = await openCheckout(drop.id, mine)
    expect((await openCheckout(drop.id, mine)).url).toBe(first.url)
    const second = await openCheckout(drop.id, { ...mine, quantity: 2 })
    expect(second.url).not.toBe(first.url)
    expect(await dropOf(drop.id)).toMatchObject({ held: 2, earlyTaken: 2 })
  })

  it('that is used in several checkouts at the same moment opens one, and the others are refused with its message', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { drop, token } = await makeEarlyDrop()
      const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => hold(drop.id, token)))
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
      expect(refused).toHaveLength(3)
      for (const reason of refused) expect(reason).toMatchObject({ code: 'EARLY_IN_CHECKOUT' })
      expect(await dropOf(drop.id)).toMatchObject({ held: 1, earlyTaken: 1 })
    }
  })

  it('is in one hold even when statements that do not wait for each other use it at the same moment', async () => {
    const { drop, linkIds } = await makeEarlyDrop()
    const early = { dropId: drop.id, earlyLinkId: linkIds[0]!, quantity: 1, mode: 'hosted', holdMs: HOUR_MS } as const
    const take = () => takeHold(visitor(), { ...early, buyerKey: newSecret() })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, take))
    expect(outcomes.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(1)
    expect(await dropOf(drop.id)).toMatchObject({ held: 1, earlyTaken: 1 })
  })

  it('is refused with the reason if it is forged, of another drop, of a follower who left, or canceled', async () => {
    const [{ drop, token, followers, seller }, other] = [await makeEarlyDrop(), await makeEarlyDrop()]
    await expect(hold(drop.id, newSecret())).rejects.toMatchObject({ code: 'EARLY_UNKNOWN', status: 400 })
    await expect(hold(drop.id, 'x')).rejects.toMatchObject({ code: 'EARLY_UNKNOWN' })
    await expect(hold(drop.id, other.token)).rejects.toMatchObject({ code: 'EARLY_OTHER_DROP', status: 400 })
    const leave = new URL(unfollowLinks(followers[0]!.id, 'https://lastcall.example').pageUrl).searchParams
    await leaveSeller(visitor(), leaveSellerSchema.parse(Object.fromEntries(leave)))
    await expect(hold(drop.id, token)).rejects.toMatchObject({ code: 'EARLY_LEFT', status: 409 })
    await db().drop.update({ where: { id: other.drop.id }, data: { earlyMinutes: null, earlyUnits: null } })
    await expect(hold(other.drop.id, other.token)).rejects.toMatchObject({ code: 'EARLY_OVER' })
    expect(seller.id).not.toBe(other.seller.id)
    expect(await db().hold.count({ where: { dropId: { in: [drop.id, other.drop.id] } } })).toBe(0)
  })

  it('is ignored after the public start, valid or not, and units that followers left are public', async () => {
    const { drop, tokens } = await makeEarlyDrop({ followers: 2, quantity: 3, earlyUnits: 1 })
    await buy(drop.id, tokens[0]!)
    await db().drop.update({ where: { id: drop.id }, data: { startedAt: later(-1000) } })
    for (const early of [newSecret(), tokens[0]!]) expect((await hold(drop.id, early)).kind).toBe('fresh')
    expect(await db().order.count({ where: { dropId: drop.id, isEarly: true } })).toBe(1)
    const row = await findShownDrop(database(), drop.uniqueId)
    expect(toDropView(row!)).toMatchObject({ earlyStartsAt: null, publicUnits: null, earlyLeft: null })
  })

  it('is stored only as a hash', async () => {
    const { token, linkIds } = await makeEarlyDrop()
    const link = await db().earlyLink.findUniqueOrThrow({ where: { id: linkIds[0]! } })
    expect(JSON.stringify(link)).not.toContain(token)
  })

  it('lets a checkout that got no response from Stripe continue, unless the link was used elsewhere since', async () => {
    const { drop, linkIds, tokens } = await makeEarlyDrop({ followers: 2 })
    const { id: dropId } = drop
    for (const [at, isUsedElsewhere] of [false, true].entries()) {
      const wanted = { dropId, quantity: 1, buyerKey: newSecret(), mode: 'hosted', earlyLinkId: linkIds[at]! } as const
      const taken = await takeHold(visitor(), { ...wanted, holdMs: HOUR_MS })
      await releaseHold(systemContext('test'), taken!.holdId, 'stripe-away')
      if (isUsedElsewhere) await hold(dropId, tokens[at])
      const again = await reopenHold(visitor(), wanted)
      expect(again?.orderId).toBe(isUsedElsewhere ? undefined : taken!.orderId)
    }
    expect(await dropOf(dropId)).toMatchObject({ held: 2, earlyTaken: 2 })
  })
})

describe('the units for followers', () => {
  it('are never exceeded when more followers buy at the same moment, and refusals say why', async () => {
    const { drop, tokens } = await makeEarlyDrop({ followers: 12, quantity: 10, earlyUnits: 5 })
    const outcomes = await Promise.allSettled(tokens.map((early) => hold(drop.id, early)))
    const codes = outcomes.map((one) => (one.status === 'fulfilled' ? 'held' : (one.reason as { code: string }).code))
    expect(codes.filter((code) => code === 'held')).toHaveLength(5)
    expect(new Set(codes)).toEqual(new Set(['held', 'EARLY_FULL']))
    expect(await dropOf(drop.id)).toMatchObject({ held: 5, earlyTaken: 5 })
  })

  it('leave at least one for everyone, even if the quantity was lowered', async () => {
    const { drop, tokens } = await makeEarlyDrop({ followers: 2, quantity: 2, earlyUnits: 5 })
    expect((await hold(drop.id, tokens[0])).kind).toBe('fresh')
    await expect(hold(drop.id, tokens[1])).rejects.toMatchObject({ code: 'EARLY_FULL' })
  })

  it('an order for more than are left says how many are left', async () => {
    const { drop, token } = await makeEarlyDrop({ earlyUnits: 2 })
    const { code, message } = await hold(drop.id, token, { quantity: 3 }).then(
      () => ({ code: '', message: '' }),
      (error: { code: string; message: string }) => error,
    )
    expect([code, message]).toEqual(['EARLY_FULL', 'Only 2 units are left for followers. Please choose fewer.'])
    const row = await findShownDrop(database(), drop.uniqueId)
    await expect(chooseEarlyLink(database(), row!, { token, buyerKey: 'b', quantity: 2 })).resolves.toBeTruthy()
  })

  it('are exact when two processes take and release them at the same time', async () => {
    const { drop, linkIds } = await makeEarlyDrop({ followers: 20, quantity: 40, earlyUnits: 7 })
    const meetingPlace = await mkdtemp(path.join(tmpdir(), 'lastcall-early-'))
    const crowd = { dropId: drop.id, linkIds, attempts: 150, atOnce: 8, meetingPlace }
    const run = (seed: number) =>
      runNode(
        [
          '--conditions=react-server',
          ...['--import', './tests/support/register-typescript.mjs', 'tests/support/take-early.ts'],
          JSON.stringify({ ...crowd, seed }),
        ],
        {},
      )
    const ended = await Promise.all([run(451), run(452)])
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])
    for (const { stdout } of ended) {
      const { most, got } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { most: number; got: number }
      expect(most).toBeLessThanOrEqual(7)
      expect(got).toBeGreaterThan(0)
    }
    const { held, earlyTaken } = await dropOf(drop.id)
    expect(held).toBe(earlyTaken)
    const open = await db().hold.findMany({ where: { dropId: drop.id, state: 'held' } })
    expect(open.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(held)
    expect(new Set(open.map(({ earlyLinkId }) => earlyLinkId)).size).toBe(open.length)
  }, 120_000)
})

it('sales before the public start are in the chart, in the recap and in the file of orders', async () => {
  const { drop, seller, token } = await makeEarlyDrop()
  await buy(drop.id, token, 2)
  const opens = new Date(drop.startedAt.getTime() - 60 * MINUTE_MS)
  await db().dropHour.create({ data: { dropId: drop.id, hour: hourOf(opens), source: 'direct', views: 7, refused: 3 } })
  const ctx = contextFor(actorOf(seller))
  const chart = await getAnalytics(ctx, { dropId: drop.id })
  expect(chart.hours[0]?.at).toBe(hourOf(opens).toISOString())
  expect(chart.hours.reduce((sum, { paid }) => sum + paid, 0)).toBe(1)
  expect(chart).toMatchObject({ run: { views: 7, paid: 1 }, checkouts: { refused: 3 } })
  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 1 })
  expect(recap).toMatchObject({ sold: 2, earlySold: 2, refused: 3, sources: [{ source: 'direct', views: 7, paid: 1 }] })
  expect(await readOrdersCsv(ctx, seller.id)).toMatch(/,early,option,run\r\n.*,yes,,1\r\n$/)
})
