import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { noteTransfer } from './adopt-transfers'

/** A transfer at Stripe, or with `id: null` a payout of which nothing was left to send. */
export type Sent = Pick<Stripe.Transfer, 'id' | 'amount' | 'destination'> | { id: null; amount: 0; destination: string }

/**
 * Records that a reserved payout was sent. The amount and the account come from Stripe, because a process that was
 * stopped for a long time may have sent an earlier amount. If another process has recorded another transfer meanwhile,
 * this one is recorded as a further one, so that settlePayout() takes back what is too much.
 */
export async function recordSent(ctx: Context, id: string, sent: Sent): Promise<void> {
  const recorded = await ctx.sql(
    'transfer-sent',
    `UPDATE "Transfer" SET ${SENT}, "frozenAt" = coalesce("frozenAt", now()), "attempts" = 0
      WHERE "id" = :id AND "sentAt" IS NULL RETURNING "id"`,
    { id, ...columnsOf(sent) },
  )
  if (recorded.length === 0 && sent.id !== null) await noteTransfer(ctx, id, sent)
}

/**
 * Records the transfer of a payout that was given up. A payout that was reserved again is left to the attempt that has
 * reserved it.
 * @returns whether it was recorded
 */
export async function recordLateTransfer(ctx: Context, id: string, sent: Stripe.Transfer): Promise<boolean> {
  const recorded = await ctx.sql(
    'late-transfer-sent',
    `UPDATE "Transfer" SET ${SENT}, "frozenAt" = coalesce("frozenAt", now()), "attempts" = 0, "nextAttemptAt" = now()
      WHERE "id" = :id AND "sentAt" IS NULL AND "sentCents" IS NULL RETURNING "id"`,
    { id, ...columnsOf(sent) },
  )
  return recorded.length > 0
}

const SENT = `"state" = 'sent', "sentAt" = now(), "stripeTransferId" = :stripeTransferId, "sentCents" = :sentCents,
            "destination" = :destination, "lastError" = NULL`

function columnsOf({ id, amount, destination }: Sent) {
  const account = typeof destination === 'string' ? destination : (destination?.id ?? null)
  return { stripeTransferId: id, sentCents: amount, destination: account }
}
