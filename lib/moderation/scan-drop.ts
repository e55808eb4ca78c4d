import 'server-only'
import type { Context } from '@/lib/infra/context'
import { askOutsideModerator } from '@/lib/infra/ask-outside-moderator'
import { lexicon } from './lexicon'
import { type Category, moderationError, prohibitedText, UNCHECKED } from './messages'
import { describeFinding, scanTexts } from './rules'

/** Why a person must review a drop; stored with the review. */
export type Hold = { category: Category | typeof UNCHECKED; details: string }

/** Maps the category names of the outside moderator to ours. */
const OUTSIDE: [pattern: RegExp, category: Category][] = [
  [/minor/i, 'minors'],
  [/sex/i, 'adult'],
  [/self.?harm/i, 'selfHarm'],
  [/hate|harass/i, 'hate'],
  [/violen/i, 'violence'],
]

/**
 * Scans the texts of a drop by form field before any of them is stored, when it is created and when it is edited
 * (docs/product.md#scanner).
 * @returns why the drop must be reviewed, or null when it may go live.
 * @throws PROHIBITED with the category and the field.
 */
export async function scanDrop(ctx: Context, texts: Record<string, string | undefined>): Promise<Hold | null> {
  const said = Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())),
  )
  const findings = scanTexts(said, lexicon)
  const [first] = findings
  if (first?.verdict === 'refuse') {
    ctx.log.info({ category: first.category, field: first.field }, 'prohibited content refused')
    throw moderationError('PROHIBITED', { text: prohibitedText(first.category), field: first.field })
  }
  if (first) return { category: first.category, details: findings.map(describeFinding).join('\n') }
  return holdOf(await askOutsideModerator(Object.values(said)))
}

/** An unknown result never counts as harmless: when the outside moderator is unavailable, a person reviews the drop. */
function holdOf(opinion: Awaited<ReturnType<typeof askOutsideModerator>>): Hold | null {
  if (opinion === null || opinion === 'fine') return null
  if (opinion === 'unreachable') return { category: UNCHECKED, details: 'The outside moderator did not answer.' }
  const names = opinion.flagged.join(', ')
  const known = OUTSIDE.find(([pattern]) => pattern.test(names))
  return { category: known?.[1] ?? UNCHECKED, details: `The outside moderator says: ${names}` }
}
