import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { planRules } from '@/lib/plans/rules'
import { dropError, dropTexts } from './messages'
import { cleanSlug, slugProblem } from './rules'
import type { SlugCheckView } from './view'

/**
 * Returns whether a custom link is valid and free, for a seller who is typing it. The check reserves nothing, because
 * the link is assigned only when the drop is written.
 * @throws SLUG_PRO_ONLY
 */
export async function checkSlug(ctx: Context<UserActor>, typed: string): Promise<SlugCheckView> {
  if (!planRules(ctx.actor).hasCustomLink) throw dropError('SLUG_PRO_ONLY')
  const slug = cleanSlug(typed)
  const problem = slugProblem(slug)
  if (problem) return { slug, available: false, message: dropTexts[problem] }
  const taken = await ctx.sql('slug-taken', 'SELECT 1 FROM "Drop" WHERE lower("customSlug") = :slug LIMIT 1', { slug })
  return taken.length > 0
    ? { slug, available: false, message: dropTexts.slugTaken }
    : { slug, available: true, message: dropTexts.slugFree }
}
