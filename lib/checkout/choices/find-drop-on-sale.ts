import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { sharedRead } from '@/lib/infra/shared-read'
import { limitToHome } from '../hold/limit-to-home'

/**
 * Returns the drop as it can be bought now: a seller with a limit ships only within the home country. Buyers who come
 * at the same moment share one read, so do not call this function inside a transaction.
 */
export async function findDropOnSale(ctx: Context, dropId: number): Promise<DropRow | null> {
  const row = await sharedRead(`drop-${dropId}`, () => findPublicDrop(ctx, String(dropId)))
  return row && limitToHome(ctx, row)
}
