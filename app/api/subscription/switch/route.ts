import { json, queryOf } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { previewSwitch } from '@/lib/subscriptions/preview-switch'
import { getPlan } from '@/lib/subscriptions/queries'
import { previewSwitchSchema, switchPeriodSchema } from '@/lib/subscriptions/schema'
import { switchPeriod } from '@/lib/subscriptions/switch-period'

export const GET = route({
  who: 'activeSeller',
  limitPerAccount: STRIPE_CALL_LIMIT,
  run: async (ctx, _input, _params, request) => {
    const { billingPeriod } = queryOf(previewSwitchSchema, request)
    return ok(await previewSwitch(ctx, billingPeriod))
  },
})

export const POST = route({
  who: 'activeSeller',
  limitPerAccount: STRIPE_CALL_LIMIT,
  input: json(switchPeriodSchema),
  run: async (ctx, input) => {
    await switchPeriod(ctx, input)
    return ok(await getPlan(ctx, ctx.actor.userId))
  },
})
