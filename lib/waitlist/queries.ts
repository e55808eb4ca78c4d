import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import { type DropView, toDropView } from '@/lib/drops/view'
import { sha256 } from '@/lib/infra/crypto'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'
import { stockSql } from '@/lib/stock/stock-sql'

export type Claim = {
  entryId: number
  dropId: number
  /** The value of the drop's option that the offered unit has; null without options. */
  valueId: number | null
  sellerId: number
  /** What is offered: the drop's title, with the value of its option in parentheses. */
  title: string
  /** The URL of Stripe's payment page; null until the claim has opened a Stripe session. */
  checkoutUrl: string | null
  /** The country that the order is shipped to; null until it is chosen, or without zones. */
  shipsTo: string | null
  amountCents: number
  expiresAt: Date
  isOpen: boolean
  /** Whether the unit went back on sale because Stripe opened no payment page, so that the link may take it again. */
  mayRetry: boolean
  /** Whether the offer ended unpaid in the current run. The person gets no other offer in this run. */
  isUnpaid: boolean
  /** Whether the link was used already. The country can then no longer change. */
  isClaimed: boolean
}

/** Finds the claim that a link from the waitlist leads to, whatever its state. Returns null for an unknown link. */
export async function findClaim({ sql }: Database, token: string): Promise<Claim | null> {
  const [row] = await sql<Claim>(
    'find-claim',
    `SELECT e."id" AS "entryId", e."dropId", h."valueId", o."dropTitle" AS "title", o."sellerId", o."checkoutUrl", o."shipsTo", o."amountCents", h."expiresAt",
            h."state" = 'held' AND h."expiresAt" > now() AS "isOpen", e."claimedAt" IS NOT NULL AS "isClaimed",
            h."state" = 'released' AND h."reason" LIKE 'stripe-%' AND h."expiresAt" > now() AND h."run" = d."run" AS "mayRetry",
            ${stockSql.endedUnpaid('h')} AND h."run" = d."run" AS "isUnpaid"
       FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId" JOIN "Order" o ON o."holdId" = h."id"
       JOIN "Drop" d ON d."id" = h."dropId"
      WHERE e."claimTokenHash" = :tokenHash`,
    { tokenHash: sha256(token) },
  )
  return row ?? null
}

/** Returns what the claim page shows, or null for an unknown link or a drop that is no longer public. */
export async function findClaimPage(
  from: Database & Pick<Context, 'sellerLimit'>,
  token: string,
): Promise<{ claim: Claim; drop: DropView; sellerId: number; sellerUsername: string | null } | null> {
  const claim = await findClaim(from, token)
  const row = claim ? await findPublicDrop(from, String(claim.dropId)) : null
  if (!claim || !row) return null
  const drop = toDropView(await limitToHome(from, row))
  return { claim, drop, sellerId: row.userId, sellerUsername: row.sellerUsername }
}
