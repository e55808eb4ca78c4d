import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import { KEEP_MS } from './rules'

/**
 * Handles the storage's report that an upload has arrived. The upload is kept for the form that will use it. If its row
 * was already swept, no form can use the upload anymore, so it is removed.
 */
export async function noteArrival(ctx: Context, arrival: { key: string }): Promise<'kept' | 'removed'> {
  const keepUntil = new Date(ctx.clock.now().getTime() + KEEP_MS)
  const { count } = await ctx.db.storedObject.updateMany({ where: { key: arrival.key }, data: { keepUntil } })
  if (count > 0) return 'kept'
  await storage().remove(arrival.key)
  return 'removed'
}
