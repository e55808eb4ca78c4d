import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import { type DropView, toDropView } from '@/lib/drops/view'
import { sha256 } from '@/lib/infra/crypto'
import type { Database } from '@/lib/infra/db'

export type Claim = {
  entryId: number
  dropId: number
  sellerId: number
  /** Where the unit is paid, once the claim was taken up. */
  checkoutUrl: string | null
  expiresAt: Date
  isOpen: boolean
}

/** The unit behind a claim link, whatever became of it. */
export async function findClaim({ sql }: Database, token: string): Promise<Claim | null> {
  const [row] = await sql<Claim>(
    'find-claim',
    `SELECT e."id" AS "entryId", e."dropId", o."sellerId", o."checkoutUrl", h."expiresAt",
            h."state" = 'held' AND h."expiresAt" > now() AS "isOpen"
       FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId" JOIN "Order" o ON o."holdId" = h."id"
      WHERE e."claimTokenHash" = :tokenHash`,
    { tokenHash: sha256(token) },
  )
  return row ?? null
}

/** What the page of a claim shows; null for a link that never was. */
export async function findClaimPage(
  database: Database,
  token: string,
): Promise<{ claim: Claim; drop: DropView } | null> {
  const claim = await findClaim(database, token)
  const drop = claim ? await findPublicDrop(database, String(claim.dropId)) : null
  return claim && drop ? { claim, drop: toDropView(drop) } : null
}
