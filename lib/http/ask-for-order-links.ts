import 'server-only'
import { after } from 'next/server'
import type { Context } from '@/lib/infra/context'
import type { FindOrderInput } from '@/lib/orders/schema'
import { findOrderLimit, sendOrderLinks } from '@/lib/orders/send-order-links'
import { assertWithinLimit } from './guard'

/**
 * Mails the links to a buyer's orders. The answer is sent before the address is looked up, so that it does not show
 * whether there are orders.
 * @throws TOO_MANY_REQUESTS
 */
export async function askForOrderLinks(ctx: Context, input: FindOrderInput): Promise<void> {
  await assertWithinLimit(findOrderLimit, ctx.network)
  after(() =>
    sendOrderLinks(ctx, input).catch((error: unknown) =>
      ctx.log.error({ cause: String(error) }, 'order links not queued'),
    ),
  )
}
