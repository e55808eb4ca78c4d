import { platformMetrics } from '@/lib/admin/platform-metrics'
import { machineRoute } from '@/lib/http/machine-route'
import { processMetrics, toPrometheus } from '@/lib/infra/metrics'

export const GET = machineRoute({
  name: 'metrics',
  needsSecret: true,
  run: async (ctx) => {
    const text = toPrometheus([...processMetrics(), ...(await platformMetrics(ctx))])
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' }
    return new Response(text, { headers })
  },
})
