import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { makeDrop } from '@/tests/support/factories'
import { balanceOf, ctx, payOutToBank, readySeller, sale, sweepAgain, transferOf } from './payout-support'

// These tests check that a dispute takes a payout back when it is opened, and not months later (ADR 0027).
afterAll(closeDatabase)

type Order = Awaited<ReturnType<typeof sale>>

/** Lets the bank open a dispute about an order whose payout was sent. */
async function openDispute(order: Order): Promise<void> {
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent' })
  await standIn()!.bankDoes(order.stripePaymentIntentId ?? '', 'dispute')
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
}

async function decide(order: Order, evidence: string): Promise<void> {
  const { stripeDisputeId } = await db().dispute.findFirstOrThrow({ where: { orderId: order.id } })
  await stripe().disputes.update(stripeDisputeId, { evidence: { uncategorized_text: evidence }, submit: true })
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
}

it('an open dispute takes the payout back at once, and a won dispute sends it again', async () => {
  const { seller, account } = await readySeller()
  const order = await sale(seller)
  const before = await balanceOf(account)
  await openDispute(order)
  await sweepAgain()
  expect(before).toBeGreaterThan(0)
  expect(await balanceOf(account)).toBe(0)
  expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', reversedAtStripeCents: before })
  await decide(order, 'winning_evidence')
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentAgainCents: before, deductedCents: 0 })
  expect(await balanceOf(account)).toBe(before)
})

it('when the account is empty, an open dispute is a debt that later payouts pay, and that a won dispute returns', async () => {
  const { seller, account } = await readySeller()
  await makeDrop({ userId: seller.id, productType: 'digital' })
  const order = await sale(seller)
  const { sentCents } = await transferOf(order.id)
  await payOutToBank(account)
  await openDispute(order)
  await sweepAgain()
  expect(await readUncoveredCents(database(), seller.id)).toBe(sentCents)
  const next = await sale(seller)
  await sweepAgain()
  expect(await transferOf(next.id)).toMatchObject({ state: 'sent', sentCents: 0, withheldCents: sentCents })
  await decide(order, 'winning_evidence')
  expect(await balanceOf(account)).toBe(sentCents)
  expect(await readUncoveredCents(database(), seller.id)).toBe(0)
})
