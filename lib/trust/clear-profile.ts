import 'server-only'
import { lockSeller } from '@/lib/drops/guards'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recordAudit } from '@/lib/platform/record-audit'
import { clearPublicProfile } from '@/lib/profiles/clear-public-profile'
import { assertModerator } from './guards'
import { profileClearedMail } from './mails'
import { trustError } from './messages'
import type { ClearProfileInput } from './schema'

/**
 * Removes what a seller has written on the public profile, without a strike or a suspension, and emails the reason to
 * the seller. This also decides any open reports of the profile (docs/product.md#reports).
 * @throws FORBIDDEN, TWO_FACTOR_REQUIRED, SELLER_NOT_FOUND, PROFILE_EMPTY
 */
export async function clearProfile(ctx: Context<UserActor>, { userId, reason }: ClearProfileInput): Promise<void> {
  assertModerator(ctx)
  await transaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, userId)
    if (!seller) throw trustError('SELLER_NOT_FOUND')
    const cleared = await clearPublicProfile(tx, userId)
    if (!cleared) throw trustError('PROFILE_EMPTY')
    await tx.db.profileReport.updateMany({
      where: { userId, state: 'open' },
      data: { state: 'refused', decidedAt: tx.clock.now(), decidedBy: tx.actor.userId },
    })
    await recordAudit(tx, {
      action: 'profile.clear',
      targetType: 'user',
      targetId: userId,
      before: { about: cleared.about, links: cleared.links.join(' ') },
      after: { about: '', links: '', reason },
    })
    await queueMail(tx, [profileClearedMail(seller, { reason, appUrl: ctx.appUrl }, newId('clr'))])
  })
}
