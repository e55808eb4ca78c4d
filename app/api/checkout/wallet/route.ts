import { countTap } from '@/lib/checkout/choices/count-tap'
import { identifyBuyer, setCheckoutCookie } from '@/lib/http/cookies/buyer-cookie'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { startWalletSchema } from '@/lib/checkout/wallet/wallet-schema'
import { startWalletPayment } from '@/lib/checkout/wallet/start-wallet-payment'

// Handles a tap on a wallet's button on the drop page: holds the units while the wallet's sheet opens.
export const POST = route({
  who: 'anyone',
  input: json(startWalletSchema),
  run: async (ctx, { work, ...wanted }, _params, request) => {
    const buyer = { dropId: wanted.dropId, ...(await identifyBuyer(request)) }
    try {
      const asked = { ...wanted, ...buyer, proof: { given: work, kind: 'work' as const } }
      const started = await startWalletPayment(ctx, asked, request.signal)
      const { clientSecret, amountCents, expiresAt } = started
      await setCheckoutCookie(request, { dropId: wanted.dropId, endsAt: expiresAt, now: ctx.clock.now() })
      return ok({ clientSecret, amountCents, expiresAt: expiresAt.toISOString() })
    } finally {
      countTap(ctx, { ...buyer, userAgent: request.headers.get('user-agent') ?? '' })
    }
  },
})
