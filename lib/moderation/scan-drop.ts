import 'server-only'
import type { Context } from '@/lib/infra/context'
import { askModerator } from './ask-moderator'
import { lexicon } from './lexicon'
import { type Category, moderationError, prohibitedText, UNCHECKED } from './messages'
import { describeFinding, scanTexts } from './rules'

/** The reason why a person must review a drop. It is stored with the review. */
export type ReviewReason = { category: Category | typeof UNCHECKED; details: string }

/** Maps the category names of the outside moderator to ours. */
const OUTSIDE: [pattern: RegExp, category: Category][] = [
  [/minor/i, 'minors'],
  [/sex/i, 'adult'],
  [/self.?harm/i, 'selfHarm'],
  [/hate|harass/i, 'hate'],
  [/violen/i, 'violence'],
]

/**
 * Scans the texts of a drop that is created or edited, before any text is stored (docs/product.md#scanner). The outside
 * moderator is called only when our own scanner finds nothing.
 * @param texts the texts by form field
 * @returns the reason why the drop must be reviewed, or null when it may go live.
 * @throws PROHIBITED with the field and a text that names the category.
 */
export async function scanDrop(ctx: Context, texts: Record<string, string | undefined>): Promise<ReviewReason | null> {
  const given = Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())),
  )
  if (Object.keys(given).length === 0) return null
  const findings = scanTexts(given, lexicon)
  const [first] = findings
  if (first?.verdict === 'refuse') {
    ctx.log.info({ category: first.category, field: first.field }, 'prohibited content refused')
    throw moderationError('PROHIBITED', { text: prohibitedText(first.category), field: first.field })
  }
  if (first) return { category: first.category, details: findings.map(describeFinding).join('\n') }
  return reasonOf(await askModerator(ctx, Object.values(given)))
}

/**
 * Turns the outside moderator's opinion into a reason for review. When the moderator does not respond, a person has to
 * review the drop. The opinion is null when no outside moderator is configured.
 */
function reasonOf(opinion: Awaited<ReturnType<typeof askModerator>>): ReviewReason | null {
  if (opinion === null || opinion === 'fine') return null
  if (opinion === 'unreachable')
    return {
      category: UNCHECKED,
      details: 'The outside moderator did not respond, or had read too many texts of this seller.',
    }
  const names = opinion.flagged.join(', ')
  const known = OUTSIDE.find(([pattern]) => pattern.test(names))
  return { category: known?.[1] ?? UNCHECKED, details: `The outside moderator says: ${names}` }
}
