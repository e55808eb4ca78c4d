import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { accountError } from '../messages'
import type { RenamePasskeyInput } from './passkey-schema'

/**
 * Renames one of the user's own passkeys.
 * @throws PASSKEY_NOT_FOUND
 */
export async function renamePasskey(ctx: Context<UserActor>, { passkeyId, name }: RenamePasskeyInput): Promise<void> {
  const where = { id: passkeyId, userId: ctx.actor.userId }
  const { count } = await ctx.db.passkey.updateMany({ where, data: { name } })
  if (count === 0) throw accountError('PASSKEY_NOT_FOUND')
}
