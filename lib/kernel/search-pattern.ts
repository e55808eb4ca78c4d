/**
 * Prepares a typed search. `words` is one line in lower case without a leading "@", and `pattern` is a LIKE pattern
 * with escaped wildcards. Returns null when no words remain.
 */
export function searchPattern(typed: string | undefined): { words: string; pattern: string } | null {
  const words = (typed ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return words === '' ? null : { words, pattern: `%${words.replace(/[\\%_]/g, '\\$&')}%` }
}
