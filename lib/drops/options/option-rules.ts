import { cutText, toLine } from '@/lib/kernel/text'
import { openOptionTexts, optionTexts, valueProblems } from './option-messages'
import { MAX_QUANTITY } from '../rules'

/** The limits of a drop's option (docs/product.md#options). */
const MAX_VALUES = 12
const MAX_VALUE_LENGTH = 30
export const MAX_OPTION_NAME = 20

/** One value of an option and its units, as a seller writes it. */
export type TypedValue = { value: string; quantity: number }
/** One value as a seller writes it. A value of an open edition has no units of its own. */
export type TypedChoice = { value: string; quantity?: number }

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

/**
 * Reads the values of an open edition, which have no units: as a seller types them ("S, M, L"), as the JSON of the API,
 * or as a list. Returns the values, or the text about the first problem.
 */
export function readNames(given: unknown): { values: TypedChoice[] } | { problem: string } {
  const isTyped = typeof given === 'string' && !given.trim().startsWith('[')
  const names = isTyped ? splitNames(given) : readNameList(given)
  if (names === null) return { problem: openOptionTexts.unreadable }
  const problem = problemOfNames(names)
  return problem ? { problem } : { values: names.map((value) => ({ value })) }
}

/**
 * Reads the values of a drop when it is not known whether its edition is open: without units if none of them has any,
 * and with units otherwise.
 */
export function readChoices(
  given: unknown,
  options: { least: 0 | 1 },
): { values: TypedChoice[] } | { problem: string } {
  const isTyped = typeof given === 'string' && !given.trim().startsWith('[')
  const names = isTyped ? splitNames(given) : readNameList(given)
  const hasUnits = names === null || names.length === 0 || (isTyped && names.some((name) => TYPED_VALUE.test(name)))
  return hasUnits ? readValues(given, options) : readNames(given)
}

/**
 * Returns what is wrong with the units of values: those of an open edition have none, and all others need some. Returns
 * null if nothing is wrong.
 */
export function unitsProblem(values: readonly TypedChoice[], isOpenEdition: boolean): string | null {
  const wrong = values.find(({ quantity }) => (quantity === undefined) !== isOpenEdition)
  if (!wrong) return null
  const { value, quantity } = wrong
  if (quantity !== undefined) return valueProblems(value).withUnits(quantity)
  return /^\d+$/.test(value) ? optionTexts.unreadable : valueProblems(value).withoutUnits
}

/**
 * Returns values with their stock. Each value of an open edition has the cap of the drop as its stock, because the drop
 * alone decides about the last unit (ADR 0064).
 */
export function withStock(values: readonly TypedChoice[], cap: number | null): TypedValue[] {
  return values.map(({ value, quantity = 0 }) => ({ value, quantity: cap ?? quantity }))
}

/** Returns values as the string that a seller would type. */
export function writeValues(values: readonly TypedChoice[]): string {
  return values.map(({ value, quantity }) => (quantity === undefined ? value : `${value} ${quantity}`)).join(', ')
}

/** Returns only the names of values, as an open edition has them. */
export function namesOf(values: readonly TypedChoice[]): TypedChoice[] {
  return values.map(({ value }) => ({ value }))
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

/** Splits typed names. Unlike in a number of units, a comma always separates two names, so "100, 200" are two. */
function splitNames(typed: string): string[] {
  return typed
    .split(/[,;\n]/)
    .map(cleanName)
    .filter((name) => name !== '')
}

/** Returns the names in a list whose entries have nothing but a value; null for anything else. */
function readNameList(given: unknown): string[] | null {
  const list = typeof given === 'string' ? parseJson(given) : given
  if (!Array.isArray(list)) return null
  const names: string[] = []
  for (const entry of list as unknown[]) {
    if (typeof entry !== 'object' || entry === null || Object.keys(entry).join() !== 'value') return null
    const { value } = entry as Record<'value', unknown>
    if (typeof value !== 'string' || cleanName(value) === '') return null
    names.push(cleanName(value))
  }
  return names
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
    const problem = problemOfName(value)
    if (problem) return problem
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

/** Returns what is wrong with the letters of a value, or null. */
function problemOfName(value: string): string | null {
  const texts = valueProblems(cutText(value, MAX_VALUE_LENGTH))
  if (EMOJI.test(value)) return texts.emoji
  if (value.length > MAX_VALUE_LENGTH) return texts.tooLong
  return NO_JOINER.test(value) || optionKey(value) === '' ? texts.invisible : null
}

function problemOfNames(names: readonly string[]): string | null {
  if (names.length === 0) return openOptionTexts.missing
  if (names.length > MAX_VALUES) return optionTexts.tooMany
  const seen = new Set<string>()
  for (const name of names) {
    const problem = problemOfName(name)
    if (problem) return problem
    const [, value, units] = TYPED_VALUE.exec(name) ?? []
    if (value !== undefined) return valueProblems(value).withUnits(Number(units))
    const texts = valueProblems(name)
    if (name.startsWith('[') || splitNames(name).join() !== name) return texts.signs
    if (seen.has(optionKey(name))) return texts.alike
    seen.add(optionKey(name))
  }
  return null
}
