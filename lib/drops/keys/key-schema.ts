import { z } from 'zod/mini'
import { keyTexts } from './key-messages'
import { type ListedKey, readKeys } from './key-rules'

/**
 * A list of keys, one per line. An empty list counts as no list, because a form also sends fields that are empty.
 * Issues never contain a key.
 */
export const listedKeys = z.optional(
  z.pipe(
    z.string(keyTexts.unreadable),
    z.transform((typed: string, context): ListedKey[] | undefined => {
      const read = readKeys(typed)
      if ('keys' in read) return read.keys.length > 0 ? read.keys : undefined
      context.issues.push({ code: 'custom', input: undefined, message: read.problem })
      return undefined
    }),
  ),
)

/** Only digital drops have keys, and a drop with keys has no choices. */
export const keyedGoods = z.check<{
  keys?: ListedKey[] | undefined
  productType: string
  options?: unknown
}>(({ value, issues }) => {
  if (value.keys === undefined) return
  const problem = value.productType !== 'digital' ? keyTexts.notDigital : value.options ? keyTexts.noOption : null
  if (problem) issues.push({ code: 'custom', input: undefined, message: problem, path: ['keys'] })
})
