import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { checkUsername } from '@/lib/accounts/check-username'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'anyone',
  limit: { name: 'check-username', points: 30, windowSeconds: 60 },
  params: z.object({ username: z.string().check(...maxCharacters(200)) }),
  run: async (ctx, _input, { username }) => ok(await checkUsername(ctx, username)),
})
