/** What is searched for: one line, lower case, without the wildcards of LIKE; null when it is nothing. */
export function searchPattern(typed: string | undefined): { words: string; pattern: string } | null {
  const words = (typed ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return words === '' ? null : { words, pattern: `%${words.replace(/[\\%_]/g, '\\$&')}%` }
}
