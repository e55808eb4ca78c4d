import { clearCheckoutCookie, knownBuyerToken } from '@/lib/http/cookies/buyer-cookie'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { cancelWalletPayment } from '@/lib/checkout/wallet/cancel-wallet-payment'
import { cancelWalletSchema } from '@/lib/checkout/wallet/wallet-schema'

// The drop page calls this when the buyer closes the wallet's sheet, or leaves the page while the sheet is open. It
// works while the platform is paused, so that the units go back on sale.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(cancelWalletSchema),
  run: async (ctx, tap, _params, request) => {
    const buyerToken = await knownBuyerToken(request)
    const released = buyerToken === null || (await cancelWalletPayment(ctx, { ...tap, buyerToken }))
    if (released) await clearCheckoutCookie(tap.dropId)
    return ok({ released })
  },
})
