import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { recordAudit } from '@/lib/platform/record-audit'
import { assertModerator } from './guards'
import { trustError } from './messages'
import type { KeepProfileInput } from './schema'

/**
 * Decides that a reported profile stays as it is.
 * @param input.lastReportId the newest report that the administrator has seen; later ones stay open.
 * @throws FORBIDDEN, TWO_FACTOR_REQUIRED, REVIEW_DECIDED
 */
export async function keepProfile(ctx: Context<UserActor>, { userId, lastReportId }: KeepProfileInput): Promise<void> {
  assertModerator(ctx)
  await transaction(ctx, async (tx) => {
    const { count: reports } = await tx.db.profileReport.updateMany({
      where: { userId, state: 'open', id: { lte: lastReportId } },
      data: { state: 'allowed', decidedAt: tx.clock.now(), decidedBy: tx.actor.userId },
    })
    if (reports === 0) throw trustError('REVIEW_DECIDED')
    await recordAudit(tx, { action: 'profile.keep', targetType: 'user', targetId: userId, after: { reports } })
  })
}
