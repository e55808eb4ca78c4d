import { assertCronSecret } from '@/lib/http/assert-cron-secret'
import { failed, ok } from '@/lib/http/responses'
import { toAppError } from '@/lib/http/route'
import { runArchive } from '@/lib/jobs/run-archive'
import { newId } from '@/lib/kernel/id'

// Not a route(): a scheduler has no session, its bearer secret is what lets it in.
async function handler(request: Request): Promise<Response> {
  const requestId = newId('req')
  try {
    assertCronSecret(request)
    return ok(await runArchive())
  } catch (error) {
    return failed(toAppError(error, requestId, request), requestId)
  }
}

export { handler as GET, handler as POST }
