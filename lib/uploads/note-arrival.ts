import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import { KEEP_MS } from './rules'

/**
 * The storage says that an upload has arrived. It is kept for the form that waits for it; one that comes after its row was
 * swept belongs to nobody any more, and is removed.
 */
export async function noteArrival(ctx: Context, arrival: { key: string }): Promise<'kept' | 'removed'> {
  const keepUntil = new Date(ctx.clock.now().getTime() + KEEP_MS)
  const { count } = await ctx.db.storedObject.updateMany({ where: { key: arrival.key }, data: { keepUntil } })
  if (count > 0) return 'kept'
  await storage().remove(arrival.key)
  return 'removed'
}
