import 'server-only'
import { earlyOpensAt, earlyUnitsLeft } from '@/lib/drops/start/early-rules'
import { dropState } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import { sha256 } from '@/lib/infra/crypto'
import type { Database } from '@/lib/infra/db'
import { usesLink } from '@/lib/stock/early-sql'
import { earlyErrors, earlyLeftText, type EarlyProblem } from './early-messages'
import { checkoutError } from '../messages'

/** A follower's link that may buy now, and how many units it may take. */
export type UsableLink = { linkId: number; left: number }

/** What a follower's link means for a drop whose public start is still to come. */
export type EarlyLinkView = UsableLink | { problem: EarlyProblem }

/**
 * Reads a follower's link (docs/product.md#early-access). The buyer's own open checkout with the link does not count
 * against it, because that checkout ends before the next one begins.
 * @returns null for a drop that is not scheduled, where nobody needs a link.
 */
export async function readEarlyLink(
  { sql }: Pick<Database, 'sql'>,
  drop: DropRow,
  { token, buyerKey }: { token: string; buyerKey: string | null },
): Promise<EarlyLinkView | null> {
  if (dropState(drop, drop.now) !== 'upcoming') return null
  const [link] = await sql<{
    id: number
    dropId: number
    isFollower: boolean
    state: 'held' | 'sold' | 'released' | null
    quantity: number | null
    buyerKey: string | null
  }>(
    'early-link',
    `SELECT l."id", l."dropId", l."followerId" IS NOT NULL AS "isFollower", h."state", h."quantity", h."buyerKey"
       FROM "EarlyLink" l LEFT JOIN "Hold" h ON h."earlyLinkId" = l."id" AND ${usesLink('h')}
      WHERE l."tokenHash" = :tokenHash`,
    { tokenHash: sha256(token) },
  )
  if (!link) return { problem: 'EARLY_UNKNOWN' }
  if (link.dropId !== drop.id) return { problem: 'EARLY_OTHER_DROP' }
  if (link.state === 'sold' || link.state === 'released') return { problem: 'EARLY_USED' }
  const opensAt = earlyOpensAt(drop)
  if (!opensAt) return { problem: 'EARLY_OVER' }
  if (link.state === 'held') {
    const isOwn = link.buyerKey !== null && link.buyerKey === buyerKey
    return isOwn
      ? { linkId: link.id, left: earlyUnitsLeft(drop) + (link.quantity ?? 0) }
      : { problem: 'EARLY_IN_CHECKOUT' }
  }
  if (!link.isFollower) return { problem: 'EARLY_LEFT' }
  if (opensAt > drop.now) return { problem: 'EARLY_NOT_OPEN' }
  const left = earlyUnitsLeft(drop)
  return left === 0 ? { problem: 'EARLY_FULL' } : { linkId: link.id, left }
}

/**
 * Returns the follower's link with which a buyer wants to buy before the public start, or null when there is none or
 * the drop needs none. The statement that takes the units checks everything again.
 * @throws the errors of EarlyProblem
 */
export async function chooseEarlyLink(
  database: Pick<Database, 'sql'>,
  drop: DropRow,
  wanted: { token: string | undefined; buyerKey: string; quantity: number },
): Promise<UsableLink | null> {
  const { token, buyerKey, quantity } = wanted
  const link = token ? await readEarlyLink(database, drop, { token, buyerKey }) : null
  if (!link) return null
  if ('problem' in link) throw checkoutError(link.problem)
  if (link.left < quantity) throw checkoutError('EARLY_FULL', { text: earlyLeftText(link.left) })
  return link
}

/** Returns the drop as a follower sees it during early access, as if it had started. */
export function openForFollower(drop: DropRow): DropRow {
  return { ...drop, startedAt: drop.now }
}

/** The text for a problem of a link. */
export const earlyProblemText = (problem: EarlyProblem): string => earlyErrors[problem].text
