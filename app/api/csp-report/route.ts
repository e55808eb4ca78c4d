import { policyReportReader } from '@/lib/http/policy-report-reader'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { notePolicyReport } from '@/lib/platform/note-policy-report'

// Browsers report here what the Content-Security-Policy has blocked.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  limit: { name: 'csp-report', points: 30, windowSeconds: 3600 },
  input: policyReportReader,
  run: async (ctx, report) => {
    if (report) await notePolicyReport(ctx, report)
    return noContent()
  },
})
