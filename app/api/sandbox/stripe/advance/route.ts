import { json } from '@/lib/http/input'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { assertSandboxControl } from '@/lib/http/sandbox'
import { advanceSchema } from '@/lib/http/sandbox-schema'
import { standIn } from '@/lib/infra/stripe'
import { platformError } from '@/lib/platform/messages'

const DAY_SECONDS = 24 * 60 * 60

// Moves one subscription forward in time, as Stripe's test clocks do. What becomes due on the way, such as a renewal,
// happens right away.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(advanceSchema),
  run: async (_ctx, { subscription, days }, _params, request) => {
    assertSandboxControl(request)
    const isKnown = await standIn()?.advanceSubscription(subscription, Math.round(days * DAY_SECONDS))
    if (!isKnown) throw platformError('NOT_FOUND')
    return noContent()
  },
})
