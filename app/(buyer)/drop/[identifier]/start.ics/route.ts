import { z } from 'zod/mini'
import { dropError } from '@/lib/drops/messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath, dropState } from '@/lib/drops/rules'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { startCalendar } from '@/lib/previews/start-calendar'

// The calendar file of a scheduled drop. Once it has started, or its start was cancelled, its page says more.
export const GET = route({
  who: 'anyone',
  isPublic: true,
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }) => {
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop || drop.moderation !== 'allowed') throw dropError('NOT_FOUND')
    if (dropState(drop, drop.now) !== 'scheduled') return seeOther(dropPath(drop))
    return new Response(startCalendar(drop, ctx.appUrl), {
      headers: {
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': `inline; filename="${drop.uniqueId}.ics"`,
        // The seller may move the start.
        'Cache-Control': 'no-cache',
      },
    })
  },
})
