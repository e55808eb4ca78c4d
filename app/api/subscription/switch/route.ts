import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { getPlan } from '@/lib/subscriptions/queries'
import { switchPeriodSchema } from '@/lib/subscriptions/schema'
import { switchPeriod } from '@/lib/subscriptions/switch-period'

export const POST = route({
  who: 'activeSeller',
  limitPerAccount: STRIPE_CALL_LIMIT,
  input: json(switchPeriodSchema),
  run: async (ctx, { billingPeriod }) => {
    await switchPeriod(ctx, billingPeriod)
    return ok(await getPlan(ctx, ctx.actor.userId))
  },
})
