import { keyProblems, keyTexts } from './key-messages'
import { hasEmoji } from '../options/option-rules'

/** The limits of a drop's keys (docs/product.md#keys). */
export const MAX_KEYS = 10_000
const MAX_KEY_LENGTH = 100
export const MAX_KEYS_OF_DROP = 100_000
/** The largest list that a form may send, in bytes. A full list of one-byte characters needs half of this. */
export const MAX_KEYS_BYTES = 2 * 1024 * 1024

// Control characters, invisible, private and unassigned characters, unpaired surrogates, and every space except the
// ordinary one. None of them can be read off a screen.
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u

/** The keys of a list, each with the number of its line, or the text about the first problem. */
type ReadKeys = { keys: ListedKey[] } | { problem: string }

export type ListedKey = { key: string; line: number }

/**
 * Reads a list with one key per line. Blank lines, and spaces around a key, are ignored. The case of letters counts,
 * because it does in most license keys.
 */
export function readKeys(typed: string): ReadKeys {
  const keys: ListedKey[] = []
  const seen = new Map<string, number>()
  for (const [at, text] of typed.split(/\r\n|\r|\n/).entries()) {
    const [key, line] = [text.trim(), at + 1]
    if (key === '') continue
    const texts = keyProblems(line)
    if (UNREADABLE.test(key)) return { problem: texts.invisible }
    if (hasEmoji(key)) return { problem: texts.emoji }
    if (key.length > MAX_KEY_LENGTH) return { problem: texts.tooLong(key.length) }
    const first = seen.get(key)
    if (first !== undefined) return { problem: texts.alike(first) }
    if (keys.length === MAX_KEYS) return { problem: keyTexts.tooMany }
    seen.set(key, line)
    keys.push({ key, line })
  }
  return { keys }
}

/** Returns how many keys a list has; null while the list has a problem. */
export function countKeys(typed: string): number | null {
  const read = readKeys(typed)
  return 'keys' in read ? read.keys.length : null
}
