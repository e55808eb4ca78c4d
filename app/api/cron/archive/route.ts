import { machineRoute } from '@/lib/http/machine-route'
import { ok } from '@/lib/http/responses'
import { runDueWork } from '@/lib/jobs/run-due-work'

/** How many seconds a serverless host lets it run. */
export const maxDuration = 60

const handler = machineRoute({ name: 'archive', needsSecret: true, run: async (ctx) => ok(await runDueWork(ctx)) })

export { handler as GET, handler as POST }
