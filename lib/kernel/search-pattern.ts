/** Prepares a typed search: one line in lower case, and a LIKE pattern with escaped wildcards; null when nothing remains. */
export function searchPattern(typed: string | undefined): { words: string; pattern: string } | null {
  const words = (typed ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return words === '' ? null : { words, pattern: `%${words.replace(/[\\%_]/g, '\\$&')}%` }
}
