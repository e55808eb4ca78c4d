import { platformMetrics } from '@/lib/admin/platform-metrics'
import { assertCronSecret } from '@/lib/http/assert-cron-secret'
import { failed } from '@/lib/http/responses'
import { toAppError } from '@/lib/http/route'
import { processMetrics, toPrometheus } from '@/lib/infra/metrics'
import { newId } from '@/lib/kernel/id'

// Not a route(): a collector has no session, its bearer secret is what lets it in.
export async function GET(request: Request): Promise<Response> {
  const requestId = newId('req')
  try {
    assertCronSecret(request)
    const text = toPrometheus([...processMetrics(), ...(await platformMetrics())])
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' }
    return new Response(text, { headers })
  } catch (error) {
    return failed(toAppError(error, requestId, request), requestId)
  }
}
