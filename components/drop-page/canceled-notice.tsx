import { CANCELED_ID } from '@/lib/checkout/rules'

/**
 * Says, to a buyer who comes back from the payment page, that nothing was charged. The page is the same for everyone,
 * so CSS shows the notice when the URL's fragment names it. That also works without JavaScript.
 */
export function CanceledNotice({ canBuy }: { canBuy: boolean }) {
  return (
    <p id={CANCELED_ID} className="hidden rounded-card bg-sunken px-5 py-4 font-medium target:block">
      You weren&apos;t charged. You left the checkout. {canBuy ? 'Want to try again? Tap Buy.' : null}
    </p>
  )
}
