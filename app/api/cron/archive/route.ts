import { machineRoute } from '@/lib/http/machine-route'
import { ok } from '@/lib/http/responses'
import { runDueWork } from '@/lib/jobs/run-due-work'

/** How many seconds a serverless host lets this route run. */
export const maxDuration = 60

const handler = machineRoute({
  name: 'archive',
  needsSecret: true,
  run: async (ctx) => {
    const { archived, renewed, released } = await runDueWork(ctx)
    return ok({ archived, renewed, released })
  },
})

export { handler as GET, handler as POST }
