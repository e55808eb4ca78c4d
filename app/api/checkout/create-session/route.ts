import { countTap } from '@/lib/checkout/choices/count-tap'
import { identifyBuyer, noteEarlyLink, setCheckoutCookie } from '@/lib/http/cookies/buyer-cookie'
import { json } from '@/lib/http/input'
import { ok, waiting } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import { createSessionSchema } from '@/lib/checkout/schema'
import { startCheckout } from '@/lib/checkout/start-checkout'

export const POST = route({
  who: 'anyone',
  input: json(createSessionSchema),
  run: async (ctx, { dropId, quantity, selectedVariants, code, early, country, work }, _params, request) => {
    const buyer = { dropId, ...(await identifyBuyer(request)) }
    try {
      const wanted = { ...buyer, quantity, selectedVariants, code, early, country }
      const started = await startCheckout(ctx, { ...wanted, proof: { given: work, kind: 'work' } })
      const endsAt = 'url' in started ? started.expiresAt : null
      await setCheckoutCookie(request, { dropId, endsAt, now: ctx.clock.now() })
      await noteEarlyLink(request, dropId, early, HOSTED_HOLD_MS)
      return 'url' in started ? ok({ url: started.url }) : waiting(started)
    } finally {
      countTap(ctx, { ...buyer, userAgent: request.headers.get('user-agent') ?? '' })
    }
  },
})
