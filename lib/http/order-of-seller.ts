import 'server-only'
import { notFound } from 'next/navigation'
import type { UserView } from '@/lib/accounts/view'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { orderIdSchema } from '@/lib/orders/field-schema'
import type { SellerOrderDetailView } from '@/lib/orders/detail-view'
import { pageContext, requireSeller } from './page'

/**
 * Loads the order whose id is in the path of a seller's page. For a malformed id, an unpaid order and another seller's
 * order, the page is "not found". A visitor is redirected to the login, which leads back to the page.
 * @param path the end of the page's path, after the id
 */
export async function orderOfSeller(
  id: string,
  path = '',
): Promise<{ order: SellerOrderDetailView; user: UserView; now: Date }> {
  if (!orderIdSchema.safeParse(id).success) notFound()
  const { actor, user } = await requireSeller(`/orders/${id}${path}`)
  const ctx = await pageContext()
  const order = await getSellerOrder(ctx, actor.userId, id).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'NOT_FOUND') notFound()
    throw error
  })
  return { order, user, now: ctx.clock.now() }
}
