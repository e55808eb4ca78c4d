import { z } from 'zod/mini'
import { receiveReport, reportBody, writtenReport } from '@/app/api/receive-report'
import { accountError } from '@/lib/accounts/messages'
import { findProfileUser } from '@/lib/accounts/queries'
import { profilePath } from '@/lib/accounts/rules'
import { route } from '@/lib/http/route'
import { reportProfile } from '@/lib/trust/report-profile'

export const POST = route({
  who: 'anyone',
  params: z.object({ username: z.string() }),
  input: reportBody,
  written: (fields, { username }) => writtenReport(fields, `/profile/${encodeURIComponent(username)}/report`),
  run: async (ctx, fields, { username }) => {
    const user = await findProfileUser(ctx, username)
    if (!user) throw accountError('PROFILE_NOT_FOUND')
    return receiveReport(`${profilePath(user.username)}/report`, fields, (input) => reportProfile(ctx, user.id, input))
  },
})
