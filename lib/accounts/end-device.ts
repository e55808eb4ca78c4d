import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { endSessions } from './end-sessions'
import { endLinks } from './issue-token'
import { lockUser } from './lock-user'
import type { EndDeviceInput } from './schema'

/** Signs out one of the user's own devices. Does nothing if the device is already signed out or is another user's. */
export async function endDevice(ctx: Context<UserActor>, { deviceId }: EndDeviceInput): Promise<void> {
  const { userId } = ctx.actor
  await transaction(ctx, async (tx) => {
    // A change that this device is making is either finished before, or is refused (lockOwnAccount()).
    await lockUser(tx, userId)
    const where = { id: deviceId, userId, revokedAt: null }
    await tx.db.session.updateMany({ where, data: { revokedAt: tx.clock.now() } })
  })
}

/**
 * Signs out every device except the one that sends the request. Links that reset the password or change the address
 * end, too, because an intruder on another device may have requested one.
 */
export async function endOtherDevices(ctx: Context<UserActor>): Promise<void> {
  const { userId, sessionId } = ctx.actor
  await transaction(ctx, async (tx) => {
    // A change that another device is making is either finished before, or is refused (lockOwnAccount()).
    await lockUser(tx, userId)
    await endSessions(tx, userId, { except: sessionId })
    await endLinks(tx, userId)
  })
}
