import { cutText, toLine } from '@/lib/kernel/text'
import { optionTexts, valueProblems } from './option-messages'
import { MAX_QUANTITY } from './rules'

/** The limits of a drop's option (docs/product.md#options). */
const MAX_VALUES = 12
const MAX_VALUE_LENGTH = 30
export const MAX_OPTION_NAME = 20

/** One value of an option and its units, as a seller writes it. */
export type TypedValue = { value: string; quantity: number }

/**
 * Returns the key by which values are compared. Spellings that differ only in case, extra spaces, invisible characters
 * or the encoding of a letter have the same key.
 */
export function optionKey(value: string): string {
  return cleanName(value.normalize('NFKC').replace(INVISIBLE, '')).toLowerCase()
}

/**
 * Invisible characters, such as a zero width space. NO_JOINER does not match the joiners, which Persian and some other
 * scripts need.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const NO_JOINER = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

const cleanName = (text: string) => toLine(text).replace(/\s+/g, ' ').normalize('NFC')

// The class \p{Emoji} also contains digits, # and *, so this pattern lists the characters that are shown as pictures.
const EMOJI = /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20e3}|\u{fe0f}/u

/** Whether a text contains a character that is shown as a picture. */
export function hasEmoji(text: string): boolean {
  return EMOJI.test(text)
}

/** Returns the cleaned name of an option, or what is wrong with the name. */
export function readOptionName(typed: string): { name: string } | { problem: string } {
  const name = cleanName(typed)
  if (name === '') return { problem: optionTexts.nameMissing }
  if (name.length > MAX_OPTION_NAME) return { problem: optionTexts.nameTooLong }
  return EMOJI.test(name) ? { problem: optionTexts.nameEmoji } : { name }
}

/**
 * Reads the values of an option: as a seller types them ("S 5, M 10, L 5"), as the JSON of the API, or as a list.
 * Returns the values, or the text about the first problem.
 * @param options.least the fewest units of one value: 1 for a new drop, 0 for an edit or a new run, where some
 *   values may have no units.
 */
export function readValues(
  given: unknown,
  { least }: { least: 0 | 1 },
): { values: TypedValue[] } | { problem: string } {
  const values = typeof given === 'string' && !given.trim().startsWith('[') ? readTyped(given) : readList(given)
  if ('problem' in values) return values
  const problem = problemOf(values.values, least)
  return problem ? { problem } : values
}

/** Returns values as the string that a seller would type. */
export function writeValues(values: readonly TypedValue[]): string {
  return values.map(({ value, quantity }) => `${value} ${quantity}`).join(', ')
}

/** Returns the sum of the units of all values. */
export function sumOfUnits(values: readonly { quantity: number }[]): number {
  return values.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Matches a comma inside a number, as in "S 1,000, M 5", and the digit before it. */
const THOUSANDS = /(\d),(?=\d{3}\s*(?:[,;\n]|$))/g

/** Matches a value, then a space or a symbol such as ":", and then its units. */
const TYPED_VALUE = /^(.*?\S)(?:\s*[:=×]\s*|\s+x?)(\d{1,15})$/

function readTyped(typed: string): { values: TypedValue[] } | { problem: string } {
  const values: TypedValue[] = []
  for (const part of typed.replace(THOUSANDS, '$1').split(/[,;\n]/)) {
    const text = cleanName(part)
    if (text === '') continue
    const match = TYPED_VALUE.exec(text)
    if (!match) {
      const shown = cutText(text, MAX_VALUE_LENGTH)
      return { problem: /^\d+$/.test(text) ? optionTexts.unreadable : valueProblems(shown).withoutUnits }
    }
    values.push({ value: match[1]!, quantity: Number(match[2]) })
  }
  return { values }
}

function readList(given: unknown): { values: TypedValue[] } | { problem: string } {
  const list = typeof given === 'string' ? parseJson(given) : given
  if (!Array.isArray(list)) return { problem: optionTexts.unreadable }
  const values: TypedValue[] = []
  for (const entry of list as unknown[]) {
    if (typeof entry !== 'object' || entry === null || Object.keys(entry).sort().join() !== 'quantity,value')
      return { problem: optionTexts.unreadable }
    const { value, quantity } = entry as Record<'value' | 'quantity', unknown>
    const isCount = typeof quantity === 'number' && Number.isSafeInteger(quantity) && quantity >= 0
    if (typeof value !== 'string' || cleanName(value) === '' || !isCount) return { problem: optionTexts.unreadable }
    values.push({ value: cleanName(value), quantity })
  }
  return { values }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether the edit form, which shows all values as one string, would read this value back unchanged. */
function isReadBack(typed: TypedValue): boolean {
  const written = writeValues([typed])
  if (written.startsWith('[')) return false
  const read = readTyped(written)
  return 'values' in read && read.values.length === 1 && read.values[0]?.value === typed.value
}

function problemOf(values: readonly TypedValue[], least: 0 | 1): string | null {
  if (values.length === 0) return optionTexts.missing
  if (values.length > MAX_VALUES) return optionTexts.tooMany
  const seen = new Set<string>()
  for (const { value, quantity } of values) {
    const texts = valueProblems(cutText(value, MAX_VALUE_LENGTH))
    if (EMOJI.test(value)) return texts.emoji
    if (value.length > MAX_VALUE_LENGTH) return texts.tooLong
    if (NO_JOINER.test(value) || optionKey(value) === '') return texts.invisible
    if (quantity > MAX_QUANTITY) return optionTexts.tooManyUnits
    if (!isReadBack({ value, quantity })) return texts.signs
    if (seen.has(optionKey(value))) return texts.alike
    if (quantity < least) return texts.noUnits
    seen.add(optionKey(value))
  }
  const units = sumOfUnits(values)
  if (units === 0) return optionTexts.noUnitsAtAll
  return units > MAX_QUANTITY ? optionTexts.tooManyUnits : null
}
