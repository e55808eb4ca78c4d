import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { checkSlug } from '@/lib/drops/check-slug'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'seller',
  limit: { name: 'check-slug', points: 60, windowSeconds: 60 },
  params: z.object({ slug: z.string().check(...maxCharacters(200)) }),
  run: async (ctx, _input, { slug }) => ok(await checkSlug(ctx, slug)),
})
