import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { followerError } from './messages'
import { MAY_CONFIRM } from './queries'

/**
 * Confirms an email address. From then on its owner follows the seller. A repeated call keeps the time of the first
 * confirmation.
 * @throws LINK_INVALID
 */
export async function confirmFollow(ctx: Context, token: string): Promise<void> {
  const [row] = await ctx.sql(
    'confirm-follow',
    `UPDATE "Follower" f SET "confirmedAt" = COALESCE(f."confirmedAt", now())
      WHERE f."tokenHash" = :tokenHash AND ${MAY_CONFIRM} RETURNING f."id"`,
    { tokenHash: sha256(token) },
  )
  if (!row) throw followerError('LINK_INVALID')
}
