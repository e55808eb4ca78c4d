import 'server-only'
import type { Transfer } from '@prisma/client'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { findTransfers } from './find-transfers'

type Sent = Pick<Transfer, 'id' | 'orderId' | 'stripeTransferId' | 'againTransferIds'>

/** The ids of the transfers of a payout that are known here, in the order in which they were made. */
export const idsOf = ({ stripeTransferId, againTransferIds }: Sent): string[] => [
  ...(stripeTransferId ? [stripeTransferId] : []),
  ...againTransferIds,
]

/**
 * Finds transfers of a payout at Stripe that an interrupted run has created without recording them, and records them.
 * @returns the transfers that were not known before
 * @throws Stripe's error
 */
export async function adoptTransfers(ctx: Context, transfer: Sent): Promise<Stripe.Transfer[]> {
  const known = new Set(idsOf(transfer))
  const found = (await findTransfers(ctx, transfer.orderId)).filter(({ id }) => !known.has(id))
  for (const created of found) await noteTransfer(ctx, transfer.id, created)
  return found
}

/** Records a further transfer of a payout, such as one that sends money again, and its amount. */
export async function noteTransfer(
  { sql }: Pick<Context, 'sql'>,
  id: string,
  created: Pick<Stripe.Transfer, 'id' | 'amount'>,
): Promise<void> {
  await sql(
    'note-transfer-again',
    `UPDATE "Transfer" SET "againTransferIds" = array_append("againTransferIds", :stripeTransferId),
            "sentAgainCents" = "sentAgainCents" + :cents::int
      WHERE "id" = :id AND "stripeTransferId" IS DISTINCT FROM :stripeTransferId
        AND NOT (:stripeTransferId = ANY("againTransferIds"))`,
    { id, stripeTransferId: created.id, cents: created.amount },
  )
}
