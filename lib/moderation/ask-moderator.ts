import 'server-only'
import { askOutsideModerator, hasOutsideModerator, type OutsideOpinion } from '@/lib/infra/ask-outside-moderator'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'

/**
 * How often one seller's texts go to the outside moderator. Its quota is the same for all sellers together, and when it
 * is used up, every new drop has to wait for a review.
 */
const LIMIT: RateLimit = { name: 'outside-moderator', points: 60, windowSeconds: 3600 }

/**
 * Asks the outside moderator about the texts of a drop or a profile, at most 60 times an hour for one seller.
 * @returns null without an outside moderator, and 'unreachable' above the limit, too.
 */
export async function askModerator({ actor, log }: Context, texts: string[]): Promise<OutsideOpinion | null> {
  if (!hasOutsideModerator()) return null
  if (actor.kind === 'user' && (await consume(LIMIT, String(actor.userId))) !== null) {
    log.info({ userId: actor.userId }, 'the outside moderator was not asked, because this seller sent many texts')
    return 'unreachable'
  }
  return askOutsideModerator(texts)
}
