import 'server-only'
import type { Context } from '@/lib/infra/context'
import { findPublicProfile } from './queries'
import type { PublicProfileView } from './view'

/**
 * Removes what a seller has written on the public profile, in the caller's transaction.
 * @returns what was removed, or null if nothing was written.
 */
export async function clearPublicProfile(tx: Context, userId: number): Promise<PublicProfileView | null> {
  const before = await findPublicProfile(tx, userId)
  if (!before.about && before.links.length === 0) return null
  await tx.db.publicProfile.delete({ where: { userId } })
  return before
}
