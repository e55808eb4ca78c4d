import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { confirmWaitlistSchema } from '@/lib/waitlist/schema'

// A button sends this POST. Opening a link from an email must not confirm anything, because email programs follow links
// by themselves.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  limit: { name: 'waitlist-confirm', points: 60, windowSeconds: 3600 },
  input: urlencoded(confirmWaitlistSchema),
  run: async (ctx, { token }) => {
    const { hadOffer } = await confirmWaitlist(ctx, token)
    return seeOther(hadOffer ? '/remind/offered' : '/remind/done')
  },
})
