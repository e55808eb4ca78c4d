import { json } from '@/lib/http/input'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { assertSandboxControl } from '@/lib/http/sandbox'
import { faultsSchema } from '@/lib/http/sandbox-schema'
import { standIn } from '@/lib/infra/stripe'

// Sets which faults the stand-in simulates from now on; an empty object removes all of them.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(faultsSchema),
  run: async (_ctx, settings, _params, request) => {
    assertSandboxControl(request)
    await standIn()?.setFaults(settings)
    return noContent()
  },
})
