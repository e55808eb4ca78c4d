import type { Category } from './messages'

/** `refuse` is for findings without a harmless meaning, and `review` is for findings that a person must judge. */
type Verdict = 'refuse' | 'review'

export type Rule = {
  category: Category
  verdict: Verdict
  /** Words or phrases, in the form that readings() produces. A trailing * stands for any letters. */
  terms: readonly string[]
  /** The rule applies only when one of these terms also occurs in any of the texts. */
  near?: readonly string[]
  /** The rule applies only when the term, or its plural, is the whole title. */
  isAll?: true
}

/** Splits "one, two words" into terms. Line breaks count as spaces. */
export const list = (text: string): string[] => text.split(',').map((term) => term.trim().replace(/\s+/g, ' '))

export type Finding = { category: Category; verdict: Verdict; field: string; term: string }

/** Describes a finding for the reviewer. */
export const describeFinding = ({ field, term, category }: Finding) => `${category}: "${term}" in ${field}`

/** Letters outside ASCII, most of them of other alphabets, and the ASCII letters that they look like. */
const LOOKALIKES: Record<string, string> = {
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', х: 'x', у: 'y', і: 'i', ѕ: 's', к: 'k', м: 'm', т: 't', н: 'h', в: 'b',
  ԁ: 'd', ɡ: 'g', α: 'a', ε: 'e', ο: 'o', ρ: 'p', τ: 't', ι: 'i', κ: 'k', ν: 'v', ı: 'i', ø: 'o', ß: 'ss',
} // prettier-ignore

const DIGITS_AS_LETTERS: Record<string, string> = {
  '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', $: 's', '€': 'e', '+': 't',
} // prettier-ignore

/** Converts to lower case, without accents and invisible characters, and with look-alike letters replaced. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^\u0000-\u007f]/g, (letter) => LOOKALIKES[letter] ?? letter)
}

/**
 * Reads digits as letters ("g0ld" gives "gold") but leaves numbers unchanged. `one` is the letter that replaces "1",
 * "!" and "|".
 */
function readDigits(text: string, one: 'i' | 'l'): string {
  // The signs at the end of a token are not read. They are cut here and not by the pattern, which would try a long run
  // of them again from each of its positions.
  return text.replace(/[a-z0-9@$€+!|]+/g, (run) => {
    let end = run.length
    while (end > 0 && '+!|'.includes(run[end - 1]!)) end -= 1
    const token = run.slice(0, end)
    return /[a-z]/.test(token) && /[^a-z]/.test(token)
      ? token.replace(/[^a-z]/g, (sign) => DIGITS_AS_LETTERS[sign] ?? (/[1!|]/.test(sign) ? one : sign)) +
          run.slice(end)
      : run
  })
}

/**
 * Joins spelled-out words: "s p e l l e d" and "s.p.e.l.l.e.d" give "spelled". Only runs of at least four single
 * letters or digits are joined.
 */
function joinSpelled(text: string): string {
  return text.replace(/(?<![a-z0-9])(?:[a-z0-9@$][^a-z0-9@$]{1,3}){3,}[a-z0-9@$](?![a-z0-9])/g, (run) =>
    run.replace(/[^a-z0-9@$]/g, ''),
  )
}

const toWords = (text: string) => ` ${text.replace(/[^a-z0-9]+/g, ' ').trim()} `

/**
 * Returns the readings of a text in which the scanner looks for terms. One is the text itself, in lower case and
 * without accents. In the others, spelled-out words are joined, hyphens and similar signs inside words are removed,
 * digits are read as letters, or a letter that is repeated three or more times is reduced to one or two. Each reading
 * consists of words between single spaces, with a space at both ends.
 */
export function readings(text: string): string[] {
  const folded = fold(text)
  // People read "co-caine" as one word.
  const uncut = folded.replace(/(?<=[a-z0-9])[-._*'’`~^]+(?=[a-z0-9])/g, '')
  const cuts = [folded, uncut, joinSpelled(folded)]
  const spellings = cuts.flatMap((cut) => [cut, readDigits(cut, 'i'), readDigits(cut, 'l')])
  const words = spellings.map(toWords)
  const withoutRepeats = words.flatMap((reading) =>
    /([a-z])\1\1/.test(reading)
      ? [reading.replace(/([a-z])\1{2,}/g, '$1'), reading.replace(/([a-z])\1{2,}/g, '$1$1')]
      : [],
  )
  return [...new Set([...words, ...withoutRepeats])]
}

const patterns = new WeakMap<readonly string[], RegExp>()

/** Returns a pattern that finds any of the terms, or the plural of a term without a *, as whole words. */
function patternOf(terms: readonly string[]): RegExp {
  let pattern = patterns.get(terms)
  if (!pattern) {
    const ways = terms.map((term) =>
      term.endsWith('*') ? `${term.slice(0, -1)}[a-z]*` : `${term}${/(?:[sxz]|[cs]h)$/.test(term) ? '(?:e?s)?' : 's?'}`,
    )
    pattern = new RegExp(`(?<= )(?:${ways.join('|')})(?= )`, 'g')
    patterns.set(terms, pattern)
  }
  return pattern
}

function firstMatch(ways: readonly string[], terms: readonly string[]): string | null {
  for (const way of ways) {
    const [match] = way.match(patternOf(terms)) ?? []
    if (match) return match
  }
  return null
}

/**
 * Scans the texts of a drop.
 * @param lexicon `innocent` are harmless phrases. Each is replaced with `_` before the rules apply.
 * @returns at most one finding per rule, refused ones first.
 */
export function scanTexts(
  texts: Record<string, string>,
  lexicon: { rules: readonly Rule[]; innocent: readonly string[] },
): Finding[] {
  const withoutInnocent = (reading: string) => reading.replace(patternOf(lexicon.innocent), '_')
  const read = Object.entries(texts).map(([field, text]) => ({ field, ways: readings(text).map(withoutInnocent) }))
  const everything = read.flatMap(({ ways }) => ways)
  const findings = lexicon.rules.flatMap(({ category, verdict, terms, near, isAll }): Finding[] => {
    if (near && !firstMatch(everything, near)) return []
    for (const { field, ways } of read) {
      const term = firstMatch(ways, terms)
      if (isAll && !(field === 'title' && ways.some((way) => way.trim() === term))) continue
      if (term) return [{ category, verdict, field, term }]
    }
    return []
  })
  return findings.sort((a, b) => Number(b.verdict === 'refuse') - Number(a.verdict === 'refuse'))
}
