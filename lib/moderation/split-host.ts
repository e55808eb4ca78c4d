import 'server-only'
import { lexicon } from './lexicon'
import { list, readings } from './rules'

/** Shorter terms are parts of too many ordinary words, except for those of SHORT_TERMS. */
const MIN_LENGTH = 5
const SHORT_TERMS = list(`porn, mdma`)

/** The beginnings of ordinary words that contain a term. They are not split. */
const ORDINARY_WORDS = list(`
  heroine, asteroid, specialis, socialis, epistol, trifle, mushroom, glockenspiel, sclerotic, aspirated, discarding,
  denudes, decrypter
`)

/** Finds ordinary words and all words of the scanner's terms, the longest first. */
function knownWords(): RegExp {
  const words = lexicon.rules
    .flatMap(({ terms, near = [] }) => [...terms, ...near])
    .flatMap((term) => term.replace('*', '').split(' '))
    .filter((word) => word.length >= MIN_LENGTH && /^[a-z]+$/.test(word))
  const all = [...new Set([...ORDINARY_WORDS, ...SHORT_TERMS, ...words])].sort((a, b) => b.length - a.length)
  return new RegExp(all.join('|'), 'g')
}
const KNOWN_WORDS = knownWords()

/**
 * Puts spaces around the words that the scanner knows, because a host name has none: "freecasinomoney.example" gives
 * "free casino money example". Each reading of a label is returned, because labels can be disguised like texts.
 */
export function splitHost(host: string): string {
  const separate = (word: string) => (ORDINARY_WORDS.includes(word) ? word : ` ${word} `)
  return host
    .split('.')
    .flatMap((label) => readings(label))
    .map((reading) => reading.replace(KNOWN_WORDS, separate))
    .join(' . ')
}
