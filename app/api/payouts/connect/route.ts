import { proofSchema } from '@/lib/accounts/schema'
import { optionalJson } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { connectPayouts } from '@/lib/payouts/connect-payouts'

// Stays open for suspended sellers and while the platform is paused: they must still reach the money they earned
// (docs/product.md#suspended-accounts).
export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  input: optionalJson(proofSchema),
  run: async (ctx, input) => ok({ url: await connectPayouts(ctx, input) }),
})
