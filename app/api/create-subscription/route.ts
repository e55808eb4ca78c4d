import { optionalJson } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { createSubscriptionSchema } from '@/lib/subscriptions/schema'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'

export const POST = route({
  who: 'activeSeller',
  limitPerAccount: STRIPE_CALL_LIMIT,
  input: optionalJson(createSubscriptionSchema),
  run: async (ctx, { billingPeriod }) => ok({ url: await startUpgrade(ctx, billingPeriod) }),
})
