import { z } from 'zod/mini'
import { json } from '@/lib/http/input'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { assertSandboxControl } from '@/lib/http/sandbox'
import { standIn } from '@/lib/infra/stripe'
import { platformError } from '@/lib/platform/messages'

const DAY_SECONDS = 24 * 60 * 60

const input = z.strictObject({
  subscription: z.string().check(z.regex(/^sub_[A-Za-z0-9]{1,60}$/)),
  days: z.number().check(z.minimum(0), z.maximum(800)),
})

// Advances the time of one subscription, like a test clock of Stripe: everything that becomes due happens at once.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(input),
  run: async (_ctx, { subscription, days }, _params, request) => {
    assertSandboxControl(request)
    const isKnown = await standIn()?.advanceSubscription(subscription, Math.round(days * DAY_SECONDS))
    if (!isKnown) throw platformError('NOT_FOUND')
    return noContent()
  },
})
