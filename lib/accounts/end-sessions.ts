import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Signs the user out on every device, in the caller's transaction. Links from emails keep working. A caller that must
 * end them, too, calls endLinks().
 * @param options.except the id of a session that does not end
 */
export async function endSessions(
  tx: Context,
  userId: number,
  { except = '' }: { except?: string } = {},
): Promise<void> {
  const where = { userId, revokedAt: null, id: { not: except } }
  await tx.db.session.updateMany({ where, data: { revokedAt: tx.clock.now() } })
}
