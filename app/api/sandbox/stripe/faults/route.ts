import { z } from 'zod/mini'
import { json } from '@/lib/http/input'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { assertSandboxControl } from '@/lib/http/sandbox'
import { standIn } from '@/lib/infra/stripe'

const delayMs = z._default(z.int().check(z.minimum(0), z.maximum(120_000)), 0)

const apiFault = z.strictObject({
  kind: z.enum(['slow', 'reset-after-commit', 'rate-limit', 'error']),
  path: z._default(z.string().check(z.regex(/^\/v1\/[a-z_/]*$/)), '/v1/'),
  remaining: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(10_000))), null),
  delayMs,
})

const disorder = z.strictObject({
  isTwice: z._default(z.boolean(), false),
  isShuffled: z._default(z.boolean(), false),
  delayMs,
})

const input = z.strictObject({
  api: z._default(z.nullable(apiFault), null),
  deliveries: z._default(z.nullable(disorder), null),
  limits: z._default(z.boolean(), false),
})

// Sets which faults the stand-in simulates from now on; an empty object removes all of them.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(input),
  run: async (_ctx, settings, _params, request) => {
    assertSandboxControl(request)
    await standIn()?.setFaults(settings)
    return noContent()
  },
})
