import 'server-only'
import { type Batch, handleBatch } from '@/lib/infra/handle-batch'
import { takeDueRecaps } from '@/lib/drops/take-due-recaps'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import type { Plan } from '@/lib/kernel/plan'
import { queueMail } from '@/lib/notifications/queue-mail'
import { getRecap } from './get-recap'
import { recapMail } from './mails'
import type { PayoutsState } from './rules'

/** The batch is small, because sales of the same runs wait for its transaction. */
const BATCH = 20

type Seller = {
  sellerId: number
  email: string
  firstName: string
  timezone: string
  plan: Plan
  payoutsState: PayoutsState
  wantsMail: boolean
}

const SELLER = `
  SELECT u."id" AS "sellerId", u."email", u."firstName", u."timezone", u."plan", u."payoutsState",
         u."emailNotifications" AND u."deletedAt" IS NULL AND d."hiddenAt" IS NULL AS "wantsMail"
    FROM "Drop" d JOIN "User" u ON u."id" = d."userId" WHERE d."id" = :dropId`

/**
 * Queues the recap emails of runs that have ended, in short transactions. Each email is made from the same query as the
 * recap's page, so that both show the same figures (docs/product.md#recap). Runs that another process has locked are
 * left to it, and a recap that cannot be queued does not keep the others waiting.
 * @returns the number of runs that were handled
 */
export async function queueRecaps(ctx: Context): Promise<number> {
  let handled = 0
  for (;;) {
    const taken = await handleBatch<number>(ctx, {
      name: 'recaps',
      most: BATCH,
      handle: (batch) => queueBatch(ctx, batch),
    })
    handled += taken
    if (taken < BATCH) return handled
  }
}

function queueBatch(ctx: Context, { note, ...which }: Batch<number>): Promise<number> {
  return sqlTransaction(ctx, async (tx) => {
    const due = await takeDueRecaps(tx, which)
    note(due.map(({ id }) => id))
    for (const { dropId, run } of due) {
      const [seller] = await tx.sql<Seller>('recap-seller', SELLER, { dropId })
      if (!seller?.wantsMail) continue
      const recap = await getRecap(tx, { sellerId: seller.sellerId, dropId, run })
      if (recap) await queueMail(tx, [recapMail(recap, seller, ctx.appUrl, ctx.clock.now())])
    }
    return due.length
  })
}
