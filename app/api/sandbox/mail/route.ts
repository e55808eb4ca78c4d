import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { assertMailbox } from '@/lib/http/sandbox'
import { parseInput } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { listMail } from '@/lib/notifications/queries'

const query = z.object({ to: z.optional(z.string().check(...maxCharacters(254))) })

export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  run: async (ctx, _input, _params, request) => {
    assertMailbox(request)
    const { to } = parseInput(query, Object.fromEntries(new URL(request.url).searchParams))
    return ok(await listMail(ctx, to))
  },
})
