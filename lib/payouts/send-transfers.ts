import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { settleShare } from './settle-shares'
import { syncPayoutAccount } from './sync-payout-account'

const BATCH = 50

type DueTransfer = {
  id: string
  orderId: string
  sellerId: number
  sentCents: number
  attempts: number
  refusals: number
  accountId: string
  chargeId: string | null
}

/**
 * Leases what is due and freezes its amount, in one statement: a refund that comes later takes it back by a reversal.
 * What was asked of Stripe before goes first to its end, whatever has become of the order.
 */
const LEASE = `
  UPDATE "Transfer" t SET "sentCents" = coalesce(t."sentCents", t."amountCents" - t."reversedCents"),
         "attempts" = t."attempts" + 1,
         "nextAttemptAt" = now() + make_interval(secs => LEAST(3600, 60 * power(2, LEAST(t."attempts", 6))))
    FROM "Order" o, "User" u
   WHERE o."id" = t."orderId" AND u."id" = t."sellerId"
     AND t."id" IN (
       SELECT w."id" FROM "Transfer" w JOIN "Order" p ON p."id" = w."orderId" JOIN "User" s ON s."id" = w."sellerId"
        WHERE w."state" = 'waiting' AND w."dueAt" <= now() AND w."nextAttemptAt" <= now()
          AND s."stripeAccountId" IS NOT NULL
          AND (w."sentCents" IS NOT NULL OR (
            s."payoutsState" = 'ready' AND p."status" IN ('paid', 'shipped', 'delivered', 'done')
            AND (p."cardFeeCents" IS NOT NULL OR p."paidAt" < now() - interval '1 day')))
          AND (:sellerId::int IS NULL OR w."sellerId" = :sellerId)
        ORDER BY w."dueAt" LIMIT :limit FOR UPDATE OF w SKIP LOCKED)
  RETURNING t."id", t."orderId", t."sellerId", t."sentCents", t."attempts", t."refusals",
            u."stripeAccountId" AS "accountId", o."stripeChargeId" AS "chargeId"`

/**
 * Sends the sellers' shares that are due to accounts that are ready (DECISIONS 1, 2); of one seller when given. What
 * fails is tried again with a growing pause and never sent twice.
 * @returns how many were sent.
 */
export async function sendTransfers(ctx: Context, sellerId: number | null = null): Promise<number> {
  const due = await ctx.sql<DueTransfer>('lease-transfers', LEASE, { limit: BATCH, sellerId })
  let sent = 0
  for (const transfer of due) {
    try {
      await send(ctx, transfer)
      sent += 1
    } catch (error) {
      await noteFailure(ctx, transfer, error)
      if (isStripeUnavailable(error)) throw error
    }
  }
  return sent
}

async function send(ctx: Context, transfer: DueTransfer): Promise<void> {
  const stripeTransferId = transfer.sentCents > 0 ? await createOnce(ctx, transfer) : null
  await ctx.sql(
    'transfer-sent',
    `UPDATE "Transfer" SET "state" = 'sent', "sentAt" = now(), "stripeTransferId" = :stripeTransferId, "lastError" = NULL, "attempts" = 0
      WHERE "id" = :id AND "state" = 'waiting'`,
    { id: transfer.id, stripeTransferId },
  )
  ctx.log.info({ orderId: transfer.orderId, amountCents: transfer.sentCents }, 'transfer sent')
  await settleShare(ctx, transfer.id)
}

/** Keys live for a day at Stripe: after a failure it is asked first what it has. */
async function createOnce(ctx: Context, transfer: DueTransfer): Promise<string> {
  const { orderId, accountId, chargeId, sentCents, refusals } = transfer
  if (transfer.attempts > 1) {
    const known = await ctx.stripe().transfers.list({ transfer_group: orderId, limit: 1 })
    if (known.data[0]) return known.data[0].id
  }
  const created = await ctx.stripe().transfers.create(
    {
      amount: sentCents,
      currency: 'usd',
      destination: accountId,
      transfer_group: orderId,
      metadata: { orderId },
      // Out of this very payment, so that it need not have become available first.
      ...(chargeId ? { source_transaction: chargeId } : {}),
    },
    { idempotencyKey: refusals === 0 ? `transfer-${orderId}` : `transfer-${orderId}-${refusals}` },
  )
  return created.id
}

/** A refusal means that nothing left: the amount is open again, and the account is looked at anew. */
async function noteFailure(ctx: Context, transfer: DueTransfer, error: unknown): Promise<void> {
  const isRefused = isStripeRefusal(error)
  ctx.log.error({ orderId: transfer.orderId, isRefused, cause: String(error) }, 'transfer not sent')
  await ctx.sql(
    'transfer-failed',
    `UPDATE "Transfer" SET "lastError" = :reason, "sentCents" = CASE WHEN :isRefused THEN NULL ELSE "sentCents" END,
            "refusals" = "refusals" + CASE WHEN :isRefused THEN 1 ELSE 0 END
      WHERE "id" = :id AND "state" = 'waiting'`,
    { id: transfer.id, reason: error instanceof Error ? error.message.slice(0, 300) : 'unknown', isRefused },
  )
  if (!isRefused) return
  await syncPayoutAccount(ctx, transfer.sellerId).catch((reason: unknown) => {
    ctx.log.warn({ sellerId: transfer.sellerId, cause: String(reason) }, 'payout account not looked at')
  })
}
