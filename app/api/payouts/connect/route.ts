import { optionalJson } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { connectPayoutsSchema } from '@/lib/payouts/schema'

// This call stays open for suspended sellers and while the platform is paused, because sellers must always reach the
// money that they earned (docs/product.md#suspended-accounts).
export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  limitPerAccount: STRIPE_CALL_LIMIT,
  input: optionalJson(connectPayoutsSchema),
  run: async (ctx, input) => ok({ url: await connectPayouts(ctx, input) }),
})
