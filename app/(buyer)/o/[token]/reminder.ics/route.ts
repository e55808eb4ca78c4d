import { z } from 'zod/mini'
import { route } from '@/lib/http/route'
import { bookingCalendar } from '@/lib/orders/booking-calendar'
import { orderError } from '@/lib/orders/messages'
import { findBuyerOrder } from '@/lib/orders/queries'
import { orderTokenSchema } from '@/lib/orders/field-schema'

// Returns a calendar file that reminds the buyer of a paid service to arrange its date.
export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: async (ctx, _input, { token }) => {
    const order = await findBuyerOrder(ctx.db, token)
    if (!order?.paidAt || order.productType !== 'service') throw orderError('NOT_FOUND')
    return new Response(bookingCalendar(order, new Date(order.paidAt), ctx.appUrl), {
      headers: {
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': `inline; filename="order-${order.reference}.ics"`,
        'Cache-Control': 'private, no-store',
      },
    })
  },
})
