import { countTap } from '@/lib/checkout/choices/count-tap'
import { identifyBuyer, setCheckoutCookie } from '@/lib/http/cookies/buyer-cookie'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { createPaymentIntentSchema } from '@/lib/checkout/schema'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'

// The contract fixes the body of the response (docs/contract.md#calls-about-buying), so the end of the hold and the
// server's time are sent as headers.
export const POST = route({
  who: 'anyone',
  input: json(createPaymentIntentSchema),
  run: async (ctx, { dropId, selectedVariants, code, early, country, work }, _params, request) => {
    const buyer = { dropId, ...(await identifyBuyer(request)) }
    try {
      const { clientSecret, expiresAt } = await startEmbeddedCheckout(ctx, {
        ...buyer,
        selectedVariants,
        code,
        early,
        country,
        proof: { given: work, kind: 'work' },
      })
      const now = ctx.clock.now()
      await setCheckoutCookie(request, { dropId, endsAt: expiresAt, now })
      const times = { 'X-Hold-Expires-At': expiresAt.toISOString(), 'X-Server-Time': now.toISOString() }
      return ok({ clientSecret }, times)
    } finally {
      countTap(ctx, { ...buyer, userAgent: request.headers.get('user-agent') ?? '' })
    }
  },
})
