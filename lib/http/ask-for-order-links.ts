import 'server-only'
import { after } from 'next/server'
import type { Context } from '@/lib/infra/context'
import type { FindOrderInput } from '@/lib/orders/schema'
import { findOrderLimit, sendOrderLinks } from '@/lib/orders/send-order-links'
import { assertWithinNetworkLimit } from './guard'

/**
 * Emails the links to a buyer's orders. The address is looked up only after the response is sent, so that neither the
 * response nor its timing shows whether there are orders.
 * @throws TOO_MANY_REQUESTS
 */
export async function askForOrderLinks(ctx: Context, input: FindOrderInput): Promise<void> {
  await assertWithinNetworkLimit(findOrderLimit, ctx)
  after(() =>
    sendOrderLinks(ctx, input).catch((error: unknown) =>
      ctx.log.error({ cause: String(error) }, 'order links could not be queued'),
    ),
  )
}
