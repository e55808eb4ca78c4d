import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import { type DropView, toDropView } from '@/lib/drops/view'
import { sha256 } from '@/lib/infra/crypto'
import { statement } from '@/lib/infra/db'

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
export async function findClaim(token: string): Promise<Claim | null> {
  const [row] = await statement<Claim>(
    'find-claim',
    `SELECT e."id" AS "entryId", e."dropId", o."sellerId", o."checkoutUrl", h."expiresAt",
            h."state" = 'held' AND h."expiresAt" > now() AS "isOpen"
       FROM "WaitlistEntry" e JOIN "Hold" h ON h."id" = e."claimHoldId" JOIN "Order" o ON o."holdId" = h."id"
      WHERE e."claimTokenHash" = $1`,
    [sha256(token)],
  )
  return row ?? null
}

/** What the page of a claim shows; null for a link that never was. */
export async function findClaimPage(token: string): Promise<{ claim: Claim; drop: DropView } | null> {
  const claim = await findClaim(token)
  const drop = claim ? await findPublicDrop(String(claim.dropId)) : null
  return claim && drop ? { claim, drop: toDropView(drop) } : null
}
