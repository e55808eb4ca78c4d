import { endCode } from '@/lib/drops/codes/end-code'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold, type ReleaseReason } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { makeCodedDrop } from '@/tests/support/make-coded-drop'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { untilWaits } from '@/tests/support/until-waits'

// A buyer who returns to a checkout and names no discount code keeps the code of that checkout, or gets an error that
// says why not. The full price is charged only to a buyer who removes the code.
examineMoneyAfterEach()
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))
afterAll(closeDatabase)

const job = () => systemContext('test')
const orderOf = (sessionId: string) => db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
const priceOf = async ({ sessionId }: { sessionId: string }) => {
  const { discountCode, unitPriceCents } = await orderOf(sessionId)
  return [discountCode, unitPriceCents]
}

async function openAndRelease(dropId: number, reason: ReleaseReason) {
  const buyerToken = newSecret()
  const opened = await openCheckout(dropId, { code: 'FRIENDS', buyerToken })
  await releaseHold(job(), (await orderOf(opened.sessionId)).holdId, reason)
  return { ...opened, buyerToken }
}

/** Opens a checkout that Stripe creates although its response is lost. @returns the token of the buyer. */
async function openUnanswered(dropId: number) {
  const buyerToken = newSecret()
  const fault = { kind: 'reset-after-commit', path: '/v1/checkout/sessions', remaining: 3, delayMs: 0 } as const
  await standIn()!.setFaults({ api: fault, deliveries: null })
  await expect(openCheckout(dropId, { code: 'FRIENDS', buyerToken })).rejects.toMatchObject({ code: 'STRIPE_AWAY' })
  await standIn()!.setFaults({ api: null, deliveries: null })
  return buyerToken
}

describe('a checkout whose units were released', () => {
  it('is refused when another buyer has the last use of its code', async () => {
    const { drop } = await makeCodedDrop({ maxUses: 1 })
    const { buyerToken } = await openAndRelease(drop.id, 'yielded')
    const other = await openCheckout(drop.id, { code: 'FRIENDS' })
    for (const said of [{ code: 'FRIENDS' }, {}]) {
      await expect(openCheckout(drop.id, { ...said, buyerToken })).rejects.toMatchObject({
        ...{ code: 'CODE_USED_UP', field: 'code', message: expect.stringContaining("in someone's checkout") },
      })
    }
    await pay(other.url)
    expect(await settleCheckout(job(), other.sessionId)).toBe('paid')
    await expect(openCheckout(drop.id, { code: 'FRIENDS', buyerToken })).rejects.toMatchObject({
      ...{ code: 'CODE_USED_UP', message: expect.stringContaining('has been used up') },
    })
    expect(await priceOf(await openCheckout(drop.id, { code: '', buyerToken }))).toEqual([null, 2400])
  })

  it('is returned to its buyer while its code has a use left, even after the seller has ended the code', async () => {
    const { drop, code, seller } = await makeCodedDrop({ maxUses: 1 })
    const { buyerToken, url } = await openAndRelease(drop.id, 'yielded')
    expect((await openCheckout(drop.id, { buyerToken })).url).toBe(url)
    await endCode(seller, { dropId: drop.id, codeId: code.id })
    expect((await openCheckout(drop.id, { code: 'FRIENDS', buyerToken })).url).toBe(url)
  })

  it('keeps its code when its buyer changes the quantity', async () => {
    const { drop } = await makeCodedDrop()
    const { buyerToken } = await openAndRelease(drop.id, 'yielded')
    expect(await priceOf(await openCheckout(drop.id, { buyerToken, quantity: 2 }))).toEqual(['FRIENDS', 1920])
  })

  it('is refused when another order takes the last use of its code while the next hold is taken', async () => {
    const { drop, code } = await makeCodedDrop({ maxUses: 1 })
    const { buyerToken } = await openAndRelease(drop.id, 'yielded')
    const rival = await pool().connect()
    try {
      await rival.query('BEGIN')
      await rival.query('UPDATE "DiscountCode" SET "used" = 1 WHERE "id" = $1', [code.id])
      const outcome = openCheckout(drop.id, { buyerToken, quantity: 2 }).catch((error: { code: string }) => error.code)
      expect(await untilWaits('"DiscountCode"', outcome)).toBe(true)
      await rival.query('COMMIT')
      expect(await outcome).toBe('CODE_USED_UP')
    } finally {
      rival.release()
      // No order has this use, so the check after each test would report it.
      await db().discountCode.update({ where: { id: code.id }, data: { used: 0 } })
    }
  })
})

describe('a checkout that got no response from Stripe', () => {
  it('keeps its code when its buyer returns, with the same quantity or with another one', async () => {
    const { drop } = await makeCodedDrop({ maxUses: 1 })
    const buyerToken = await openUnanswered(drop.id)
    expect(await priceOf(await openCheckout(drop.id, { buyerToken }))).toEqual(['FRIENDS', 1920])
    const again = await openUnanswered((await makeCodedDrop()).drop.id)
    const { dropId } = await db().order.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    expect(await priceOf(await openCheckout(dropId, { buyerToken: again, quantity: 2 }))).toEqual(['FRIENDS', 1920])
  })

  it('keeps its code and its order when Stripe refuses the key of the first try', async () => {
    const { drop } = await makeCodedDrop({ maxUses: 1 })
    const buyerToken = await openUnanswered(drop.id)
    // The changed title changes the parameters, and Stripe refuses a known idempotency key with other parameters. The
    // session of the same order is then opened with a second key.
    await db().order.updateMany({ where: { dropId: drop.id }, data: { dropTitle: 'Another title' } })
    expect(await priceOf(await openCheckout(drop.id, { buyerToken }))).toEqual(['FRIENDS', 1920])
    expect(await db().order.count({ where: { dropId: drop.id } })).toBe(1)
  })
})
