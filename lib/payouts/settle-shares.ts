import 'server-only'
import type { Transfer } from '@prisma/client'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { shareOutCents } from './rules'

const BATCH = 50

/**
 * Brings what the seller's account holds of a sent share to what our books say: what refunds took is reversed, what a bank
 * turned down is sent anew. Asks Stripe first what there is, so that a crash in between moves nothing twice.
 */
export async function settleShare(ctx: Context, transferId: string): Promise<void> {
  const transfer = await ctx.db.transfer.findUniqueOrThrow({ where: { id: transferId } })
  const { orderId, sentCents } = transfer
  if (!transfer.sentAt || sentCents === null) return
  const goalCents = transfer.amountCents - transfer.reversedCents
  if (shareOutCents({ ...transfer, sentCents }) === goalCents) return
  const { data: sent } = await ctx.stripe().transfers.list({ transfer_group: orderId, limit: 100 })
  const before = sumsOf(sent)
  const outCents = before.amount - before.reversed
  if (outCents < goalCents && !(await mayBeSent(ctx, transfer))) return
  if (outCents > goalCents) await reverse(ctx, sent, outCents - goalCents)
  if (outCents < goalCents) await sendAgain(ctx, transfer, goalCents - outCents, before.amount)
  await ctx.sql(
    'share-settled',
    `UPDATE "Transfer" SET "takenBackCents" = GREATEST("takenBackCents", :takenBackCents), "lastError" = NULL, "attempts" = 0,
            "sentAgainCents" = GREATEST("sentAgainCents", :sentAgainCents),
            "state" = (CASE WHEN "reversedCents" = "amountCents" AND "amountCents" > 0 THEN 'reversed' ELSE 'sent' END)::"TransferState"
      WHERE "id" = :id`,
    {
      id: transferId,
      takenBackCents: before.reversed + Math.max(0, outCents - goalCents),
      sentAgainCents: before.amount - sentCents + Math.max(0, goalCents - outCents),
    },
  )
  ctx.log.info({ orderId, fromCents: outCents, toCents: goalCents }, 'share settled')
}

function sumsOf(sent: readonly Stripe.Transfer[]): { amount: number; reversed: number } {
  return {
    amount: sent.reduce((sum, { amount }) => sum + amount, 0),
    reversed: sent.reduce((sum, { amount_reversed }) => sum + amount_reversed, 0),
  }
}

async function reverse(ctx: Context, sent: readonly Stripe.Transfer[], cents: number): Promise<void> {
  let left = cents
  for (const { id, amount, amount_reversed: reversed, metadata } of sent) {
    const part = Math.min(left, amount - reversed)
    if (part === 0) continue
    const idempotencyKey = `reversal-${id}-${reversed}`
    await ctx.stripe().transfers.createReversal(id, { amount: part, metadata }, { idempotencyKey })
    left -= part
  }
}

/** Not while the account is not ready, nor while a bank decides about the order. */
async function mayBeSent(ctx: Context, { orderId }: Transfer): Promise<boolean> {
  const { status, seller } = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId }, include: { seller: true } })
  return status !== 'disputed' && seller.payoutsState === 'ready' && seller.stripeAccountId !== null
}

/** Out of the platform's balance: the refund that was turned down has come back there, not to its charge. */
async function sendAgain(ctx: Context, transfer: Transfer, amount: number, sentSoFar: number): Promise<void> {
  const { id, orderId, sellerId, refusals } = transfer
  const [seller] = await ctx.sql<{ account: string }>(
    'payout-account',
    'SELECT "stripeAccountId" AS "account" FROM "User" WHERE "id" = :sellerId',
    { sellerId },
  )
  try {
    await ctx.stripe().transfers.create(
      {
        amount,
        currency: 'usd',
        destination: seller?.account ?? '',
        transfer_group: orderId,
        metadata: { orderId },
      },
      { idempotencyKey: `transfer-again-${id}-${sentSoFar}-${refusals}` },
    )
  } catch (error) {
    // A refusal is replayed with its key.
    if (isStripeRefusal(error)) {
      await ctx.sql('share-refused', 'UPDATE "Transfer" SET "refusals" = "refusals" + 1 WHERE "id" = :id', { id })
    }
    throw error
  }
}

/** The shares that could not be settled at once, each with a growing pause. @returns how many were looked at. */
export async function settleShares(ctx: Context): Promise<number> {
  const due = await ctx.sql<{ id: string }>(
    'due-shares',
    `UPDATE "Transfer" SET "attempts" = "attempts" + 1,
            "nextAttemptAt" = now() + make_interval(secs => LEAST(3600, 30 * power(2, LEAST("attempts", 7))))
      WHERE "id" IN (
        SELECT t."id" FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"
         WHERE t."sentAt" IS NOT NULL AND t."nextAttemptAt" <= now()
           AND t."sentCents" + t."sentAgainCents" - t."takenBackCents" <> t."amountCents" - t."reversedCents"
           AND (t."sentCents" + t."sentAgainCents" - t."takenBackCents" > t."amountCents" - t."reversedCents"
                OR (o."status" <> 'disputed' AND u."payoutsState" = 'ready'))
         ORDER BY t."nextAttemptAt" LIMIT :limit FOR UPDATE OF t SKIP LOCKED)
      RETURNING "id"`,
    { limit: BATCH },
  )
  let settled = 0
  for (const { id } of due) {
    try {
      await settleShare(ctx, id)
      settled += 1
    } catch (error) {
      if (isStripeUnavailable(error)) throw error
      ctx.log.error({ transferId: id, cause: String(error) }, 'share not settled')
    }
  }
  return settled
}
