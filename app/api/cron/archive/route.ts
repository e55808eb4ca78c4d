import { machineRoute } from '@/lib/http/machine-route'
import { ok } from '@/lib/http/responses'
import { runArchive } from '@/lib/jobs/run-archive'

const handler = machineRoute({ name: 'archive', needsSecret: true, run: async (ctx) => ok(await runArchive(ctx)) })

export { handler as GET, handler as POST }
