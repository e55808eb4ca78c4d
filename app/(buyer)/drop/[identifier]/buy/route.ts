import { z } from 'zod/mini'
import { countTap } from '@/lib/checkout/choices/count-tap'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath, dropState } from '@/lib/drops/rules'
import { pathWithEarly } from '@/lib/drops/start/early-rules'
import type { DropRow } from '@/lib/drops/view'
import { identifyBuyer, noteEarlyLink, setCheckoutCookie } from '@/lib/http/cookies/buyer-cookie'
import { codeOfLink } from '@/lib/http/code-of-link'
import { codePage } from '@/lib/http/plain-forms/code-page'
import { urlencoded } from '@/lib/http/input'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { valueLinePage } from '@/lib/http/plain-forms/value-line-page'
import { waitPage } from '@/lib/http/plain-forms/wait-page'
import { AppError } from '@/lib/kernel/app-error'
import { inLine, checkoutError } from '@/lib/checkout/messages'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import { buyFormSchema, type SelectedVariants } from '@/lib/checkout/schema'
import { startCheckout } from '@/lib/checkout/start-checkout'

/**
 * Builds the buyer's choice from the chosen value. The form does not send the option's name, because the drop has it.
 */
function variantsOf({ option }: Pick<DropRow, 'option'>, value: string | undefined): SelectedVariants {
  return option && value ? { [option.name]: value } : {}
}

const FIELDS_WITH_OWN_PAGE = ['selectedVariants', 'code']
const CODES_WITH_OWN_PAGE = ['SELLER_LIMIT', 'SELLER_HOME', 'EARLY_FULL', 'ABOVE_LIMIT']

// Handles the buy button without JavaScript: takes a hold and redirects to the payment page.
export const POST = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  input: urlencoded(buyFormSchema),
  run: async (ctx, { option, early, work, ...chosen }, { identifier }, request) => {
    // The page has two fields for the quantity. Without JavaScript a buyer changes one of them, and the other stays at
    // 1.
    const quantity = Math.max(chosen.quantity, chosen.barQuantity ?? 1)
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop) throw checkoutError('DROP_NOT_FOUND')
    const { country } = chosen
    const buyer = { dropId: drop.id, ...(await identifyBuyer(request)) }
    const code = chosen.code?.trim() || codeOfLink(request) || chosen.code
    try {
      const wanted = { ...buyer, quantity, selectedVariants: variantsOf(drop, option), code, early, country }
      const started = await startCheckout(ctx, { ...wanted, proof: { given: work, kind: 'wait' } })
      const endsAt = 'url' in started ? started.expiresAt : null
      await setCheckoutCookie(request, { dropId: drop.id, endsAt, now: ctx.clock.now() })
      await noteEarlyLink(request, drop.id, early, HOSTED_HOLD_MS)
      // The units are held. The refusal page says how long the wait is, and that the buyer then has to press Buy again.
      if ('wait' in started) throw inLine(started.wait)
      return seeOther(started.url)
    } catch (error) {
      if (error instanceof AppError && error.url) return seeOther(error.url)
      const isShown = error instanceof AppError && isShownToAPerson(request)
      if (isShown && error.work) return waitPage(error, { quantity, option, country, code, early }, dropPath(drop))
      if (isShown && error.field === 'code')
        return codePage(error, { quantity, option, country, early }, dropPath(drop))
      // Before the start, the waitlist is for the start and not for a unit.
      const isAhead = dropState(drop, drop.now) === 'upcoming'
      if (isShown && option && !isAhead && ['OPTION_SOLD_OUT', 'OPTION_IN_CHECKOUT'].includes(error.code))
        return valueLinePage(error, { option, dropPath: dropPath(drop), early })
      // The drop page shows whether the drop is sold out or has ended, and what the buyer can do instead. It does not
      // show which value or which code was refused, or that a limit of the seller or of early access was reached, so
      // these refusals have pages of their own.
      const hasOwnPage =
        error instanceof AppError &&
        (FIELDS_WITH_OWN_PAGE.includes(error.field ?? '') || CODES_WITH_OWN_PAGE.includes(error.code))
      if (error instanceof AppError && error.status === 409 && !hasOwnPage)
        return seeOther(pathWithEarly(dropPath(drop), early))
      throw error
    } finally {
      countTap(ctx, { ...buyer, userAgent: request.headers.get('user-agent') ?? '' })
    }
  },
})
