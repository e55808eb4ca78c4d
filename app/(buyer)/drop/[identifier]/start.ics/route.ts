import { z } from 'zod/mini'
import { dropError } from '@/lib/drops/messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath, dropState } from '@/lib/drops/rules'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { startCalendar } from '@/lib/previews/start-calendar'

// Returns the calendar file of a scheduled drop. In any other state of the drop, it redirects to the drop's page.
export const GET = route({
  who: 'anyone',
  isPublic: true,
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }) => {
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop || drop.moderation !== 'allowed') throw dropError('NOT_FOUND')
    if (dropState(drop, drop.now) !== 'upcoming') return seeOther(dropPath(drop))
    return new Response(startCalendar(drop, ctx.appUrl), {
      headers: {
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': `inline; filename="${drop.uniqueId}.ics"`,
        // Caches must revalidate the file before they reuse it, because the seller may move the start.
        'Cache-Control': 'no-cache',
      },
    })
  },
})
