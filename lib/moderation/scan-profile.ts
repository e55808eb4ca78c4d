import 'server-only'
import type { Context } from '@/lib/infra/context'
import { askModerator } from './ask-moderator'
import { lexicon } from './lexicon'
import { moderationError, prohibitedText } from './messages'
import { scanTexts } from './rules'

/**
 * Scans the texts of a public profile by form field before they are stored. No person reviews profiles, so a term that
 * would send a drop to review is refused here.
 * @returns false when the outside moderator did not respond. The caller must not store the texts then.
 * @throws PROHIBITED
 */
export async function scanProfile(ctx: Context, texts: Record<string, string>): Promise<boolean> {
  const [finding] = scanTexts(texts, lexicon)
  if (finding) {
    ctx.log.info({ category: finding.category, field: finding.field }, 'prohibited content refused')
    throw moderationError('PROHIBITED', { text: prohibitedText(finding.category), field: finding.field })
  }
  const opinion = await askModerator(ctx, Object.values(texts))
  if (opinion === 'unreachable') return false
  if (opinion !== null && opinion !== 'fine') throw moderationError('PROHIBITED', { field: Object.keys(texts)[0] })
  return true
}
