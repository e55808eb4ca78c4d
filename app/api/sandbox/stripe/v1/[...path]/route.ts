import { machineRoute } from '@/lib/http/machine-route'
import { assertSandbox } from '@/lib/http/sandbox'
import { callStandIn } from '@/lib/infra/stripe'

// Serves the stand-in's API to `npm run stripe:check` and `npm run stripe:drive`, which run outside of this process.
// Only programs of the same installation may use this API, so it needs CRON_SECRET on a developer's machine too.
const handler = machineRoute({
  name: 'stripe-api',
  needsSecret: true,
  run: (_ctx, request) => {
    assertSandbox()
    return callStandIn(request, new URL(request.url).pathname.replace(/^\/api\/sandbox\/stripe/, ''))
  },
})

export { handler as GET, handler as POST, handler as DELETE }
