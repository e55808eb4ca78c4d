import { confirmFollow } from '@/lib/followers/confirm-follow'
import { confirmFollowSchema } from '@/lib/followers/schema'
import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// A button sends this POST. Opening a link from an email must not confirm anything, because email programs follow links
// by themselves.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  limit: { name: 'follow-confirm', points: 60, windowSeconds: 3600 },
  input: urlencoded(confirmFollowSchema),
  run: async (ctx, { token }) => {
    await confirmFollow(ctx, token)
    return seeOther('/follow/done')
  },
})
