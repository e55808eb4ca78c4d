import { optionalJson } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { createSubscriptionSchema } from '@/lib/subscriptions/schema'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'

export const POST = route({
  who: 'activeSeller',
  input: optionalJson(createSubscriptionSchema),
  run: async (ctx, { billingPeriod }) => ok({ url: await startUpgrade(ctx, billingPeriod) }),
})
