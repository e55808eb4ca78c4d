import { z } from 'zod/mini'
import { countTap } from '@/lib/drops/count-tap'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import { buyerToken, noteOpenCheckout } from '@/lib/http/buyer-cookie'
import { codeOfLink } from '@/lib/http/code-of-link'
import { codePage } from '@/lib/http/code-page'
import { urlencoded } from '@/lib/http/input'
import { isShownToAPerson } from '@/lib/http/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { valueLinePage } from '@/lib/http/value-line-page'
import { waitPage } from '@/lib/http/wait-page'
import { AppError } from '@/lib/kernel/app-error'
import { inLine, orderError } from '@/lib/orders/messages'
import { HOSTED_HOLD_MS } from '@/lib/orders/rules'
import { buyFormSchema, type SelectedVariants } from '@/lib/orders/schema'
import { startCheckout } from '@/lib/orders/start-checkout'

/** The form sends only the value, because its page knows the name of the option. */
function variantsOf({ option }: Pick<DropRow, 'option'>, value: string | undefined): SelectedVariants {
  return option && value ? { [option.name]: value } : {}
}

const KEPT_FIELDS = ['selectedVariants', 'code']

// The buy button without JavaScript: takes a hold and redirects to the payment page.
export const POST = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  input: urlencoded(buyFormSchema),
  run: async (ctx, { option, work, ...chosen }, { identifier }, request) => {
    // Without JavaScript a buyer changes one of the two, and the other one stays at 1.
    const quantity = Math.max(chosen.quantity, chosen.barQuantity ?? 1)
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop) throw orderError('DROP_NOT_FOUND')
    const buyer = { dropId: drop.id, buyerToken: await buyerToken() }
    const code = chosen.code?.trim() || codeOfLink(request) || chosen.code
    try {
      const wanted = { ...buyer, quantity, selectedVariants: variantsOf(drop, option), code }
      const started = await startCheckout(ctx, { ...wanted, proof: { given: work, kind: 'wait' } })
      await noteOpenCheckout(drop.id, HOSTED_HOLD_MS)
      // The units are held. The refusal page says how long the wait is and lets the buyer press again.
      if ('wait' in started) throw inLine(started.wait)
      return seeOther(started.url)
    } catch (error) {
      const isShown = error instanceof AppError && isShownToAPerson(request)
      if (isShown && error.work) return waitPage(error, { quantity, option, code }, dropPath(drop))
      if (isShown && error.field === 'code') return codePage(error, { quantity, option }, dropPath(drop))
      if (isShown && option && ['OPTION_SOLD_OUT', 'OPTION_IN_CHECKOUT'].includes(error.code))
        return valueLinePage(error, { option, dropPath: dropPath(drop) })
      // The drop page says that the drop is sold out or over, and what the buyer can do instead. It cannot say which
      // choice of its option or which code was meant, so such a refusal has a page of its own.
      if (error instanceof AppError && error.status === 409 && !KEPT_FIELDS.includes(error.field ?? ''))
        return seeOther(dropPath(drop))
      throw error
    } finally {
      countTap(ctx, { ...buyer, userAgent: request.headers.get('user-agent') ?? '' })
    }
  },
})
