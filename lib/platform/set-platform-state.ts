import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { forgetPlatformState } from './queries'
import { recordAudit } from './record-audit'
import type { TogglePlatformInput } from './schema'

/**
 * Pauses or resumes the platform, or switches to the other state if no state is given. The settings row is locked. If
 * several toggles arrive at the same moment, each returns the state that it has produced, and the last one stays in
 * force.
 */
export async function setPlatformState(
  ctx: Context<UserActor>,
  { isActive: wanted }: TogglePlatformInput,
): Promise<{ isActive: boolean }> {
  const isActive = await transaction(ctx, async (tx) => {
    await tx.db.$executeRaw`
      INSERT INTO "PlatformSettings" ("id", "isActive", "updatedAt") VALUES (1, true, now()) ON CONFLICT DO NOTHING`
    const [settings] = await tx.db.$queryRaw<{ isActive: boolean }[]>`
      SELECT "isActive" FROM "PlatformSettings" WHERE "id" = 1 FOR UPDATE`
    const before = settings?.isActive ?? true
    const after = wanted ?? !before
    // `updatedAt` is the time of the last change, so an unchanged state is not written.
    if (after !== before) {
      await tx.db.platformSettings.update({ where: { id: 1 }, data: { isActive: after, updatedBy: ctx.actor.userId } })
    }
    await recordAudit(tx, {
      action: after ? 'platform.resume' : 'platform.pause',
      targetType: 'platform',
      targetId: 1,
      before: { isActive: before },
      after: { isActive: after },
    })
    return after
  })
  forgetPlatformState()
  return { isActive }
}
