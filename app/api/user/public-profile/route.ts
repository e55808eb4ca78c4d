import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { changePublicProfile } from '@/lib/profiles/change-public-profile'
import { findPublicProfile } from '@/lib/profiles/queries'
import { publicProfileSchema } from '@/lib/profiles/schema'

export const GET = route({
  who: 'seller',
  run: async (ctx) => ok(await findPublicProfile(ctx, ctx.actor.userId)),
})

export const PATCH = route({
  who: 'activeSeller',
  // Each change may call the outside moderator, whose quota is the same for all sellers together.
  limit: { name: 'public-profile', points: 30, windowSeconds: 3600 },
  input: json(publicProfileSchema),
  run: async (ctx, input) => ok(await changePublicProfile(ctx, input)),
})
