/** Prepares a typed search: one line, lower case, with the wildcards of LIKE removed; null when nothing remains. */
export function searchPattern(typed: string | undefined): { words: string; pattern: string } | null {
  const words = (typed ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return words === '' ? null : { words, pattern: `%${words.replace(/[\\%_]/g, '\\$&')}%` }
}
