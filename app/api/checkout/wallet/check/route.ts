import { knownBuyerToken } from '@/lib/http/cookies/buyer-cookie'
import { json } from '@/lib/http/input'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { checkWalletPayment } from '@/lib/checkout/wallet/check-wallet-payment'
import { orderError } from '@/lib/orders/messages'
import { checkWalletSchema } from '@/lib/checkout/wallet/wallet-schema'

// The drop page calls this after the buyer has confirmed in the wallet's sheet, and before the payment is made.
export const POST = route({
  who: 'anyone',
  input: json(checkWalletSchema),
  run: async (ctx, input, _params, request) => {
    const buyerToken = await knownBuyerToken(request)
    if (buyerToken === null) throw orderError('NOT_FOUND')
    await checkWalletPayment(ctx, { ...input, buyerToken })
    return noContent()
  },
})
