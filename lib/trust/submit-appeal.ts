import 'server-only'
import { lockOwnAccount } from '@/lib/accounts/lock-own-account'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { trustError } from './messages'
import type { AppealInput } from './schema'

/**
 * Stores the appeal of a suspended seller, which explains why the suspension is a mistake.
 * @throws NOT_SUSPENDED, APPEAL_OPEN, NOT_SIGNED_IN
 */
export async function submitAppeal(ctx: Context<UserActor>, { text }: AppealInput): Promise<void> {
  if (!ctx.actor.isSuspended) throw trustError('NOT_SUSPENDED')
  try {
    await transaction(ctx, async (tx) => {
      await lockOwnAccount(tx)
      await tx.db.appeal.create({ data: { userId: ctx.actor.userId, text } })
    })
  } catch (error) {
    if (uniqueViolation(error)) throw trustError('APPEAL_OPEN', { cause: error })
    throw error
  }
}
