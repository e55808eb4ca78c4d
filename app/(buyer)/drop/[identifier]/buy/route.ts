import { z } from 'zod/mini'
import { countTap } from '@/lib/drops/count-tap'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import { buyerToken, noteOpenCheckout } from '@/lib/http/buyer-cookie'
import { urlencoded } from '@/lib/http/input'
import { isShownToAPerson } from '@/lib/http/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { waitPage } from '@/lib/http/wait-page'
import { AppError } from '@/lib/kernel/app-error'
import { inLine, orderError } from '@/lib/orders/messages'
import { HOSTED_HOLD_MS } from '@/lib/orders/rules'
import { buyFormSchema } from '@/lib/orders/schema'
import { startCheckout } from '@/lib/orders/start-checkout'

// The buy button without JavaScript: takes a hold and redirects to the card page.
export const POST = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  input: urlencoded(buyFormSchema),
  run: async (ctx, { quantity, work }, { identifier }, request) => {
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop) throw orderError('DROP_NOT_FOUND')
    const buyer = { dropId: drop.id, buyerToken: await buyerToken() }
    try {
      const started = await startCheckout(ctx, { ...buyer, quantity, proof: { given: work, kind: 'wait' } })
      await noteOpenCheckout(drop.id, HOSTED_HOLD_MS)
      // The units are held, and the page of the refusal says how long it takes and lets the buyer press again.
      if ('wait' in started) throw inLine(started.wait)
      return seeOther(started.url)
    } catch (error) {
      if (error instanceof AppError && error.work && isShownToAPerson(request))
        return waitPage(error, { quantity, dropPath: dropPath(drop) })
      // The drop page says that the drop is sold out or over, and what the buyer can do instead.
      if (error instanceof AppError && error.status === 409) return seeOther(dropPath(drop))
      throw error
    } finally {
      countTap(ctx, { ...buyer, userAgent: request.headers.get('user-agent') ?? '' })
    }
  },
})
