import { z } from 'zod/mini'
import { receiveReport, reportBody, writtenReport } from '@/app/api/receive-report'
import { dropError } from '@/lib/drops/messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import { route } from '@/lib/http/route'
import { reportDrop } from '@/lib/trust/report-drop'

export const POST = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  input: reportBody,
  written: (fields, { identifier }) => writtenReport(fields, `/drop/${encodeURIComponent(identifier)}/report`),
  run: async (ctx, fields, { identifier }) => {
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop) throw dropError('NOT_FOUND')
    return receiveReport(`${dropPath(drop)}/report`, fields, (input) => reportDrop(ctx, drop.id, input))
  },
})
