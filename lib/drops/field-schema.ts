import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parsePriceCents } from '@/lib/kernel/money'
import { ORIGIN_COUNTRIES } from '@/lib/kernel/country'
import { itemConditions } from '@/lib/kernel/item-condition'
import { productTypes } from '@/lib/kernel/product-type'
import { toLine } from '@/lib/kernel/text'
import { editionTexts } from './editions/edition-messages'
import { dropTexts } from './messages'
import {
  DEFAULT_DURATION,
  DURATIONS,
  MAX_PER_BUYER,
  MAX_QUANTITY,
  MAX_SHIPPING_NOTE,
  MAX_TITLE,
  slugProblem,
} from './rules'
import { shipTexts } from './delivery/ship-messages'
import { MAX_SHIP_DAYS } from './delivery/ship-rules'
import { startTexts } from './start/start-messages'

/** The fields that several of a drop's forms and calls have in common. */

/** A string without the spaces around it. It may be empty, so callers check what it has to contain. */
export const trimmed = () => z.string().check(z.trim())

/**
 * Parses a typed price into integer cents, or returns what is wrong with it (docs/product.md#prices-and-quantities).
 */
function readPrice(typed: string): { cents: number } | { problem: string } {
  const cents = parsePriceCents(typed)
  if (cents === null || cents <= 0) return { problem: `${dropTexts.invalidPriceTitle}. ${dropTexts.invalidPrice}` }
  if (cents < MIN_PRICE_CENTS) return { problem: dropTexts.priceTooLow }
  if (cents > MAX_PRICE_CENTS) return { problem: dropTexts.priceTooHigh }
  return { cents }
}

/** Whether the string is an https link that can be parsed. */
function isLink(typed: string): boolean {
  const link = typed.trim()
  return /^https:\/\/[^\s/]+\.[^\s]+$/i.test(link) && URL.canParse(link)
}

const price = trimmed().check((context) => {
  const result = readPrice(context.value)
  if ('problem' in result) context.issues.push({ code: 'custom', input: context.value, message: result.problem })
})

export const productType = z.enum(productTypes, dropTexts.typeInvalid)

export const wholeNumber = /^[0-9]{1,9}$/

/** An integer id in the path of a call. Anything but one to nine digits becomes 0, which no row has as its id. */
export const idInPath = z.pipe(
  z.string(),
  z.transform((typed: string) => (wholeNumber.test(typed) ? Number(typed) : 0)),
)

/** Makes a field optional, and treats a blank string like a missing field. */
export const unlessEmpty = <Schema extends z.ZodMiniType<string, string>>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)),
      z.optional(schema),
    ),
  )

export const usableSlug = z.check<string>((context) => {
  const problem = slugProblem(context.value)
  if (problem) context.issues.push({ code: 'custom', input: context.value, message: dropTexts[problem] })
})

export const title = z.string().check(z.overwrite(toLine), ...maxCharacters(MAX_TITLE, dropTexts.titleTooLong))
export const priceCents = z.pipe(
  price,
  z.transform((typed: string) => parsePriceCents(typed) ?? 0),
)
/** In which condition the goods of a physical drop are. */
export const condition = z.enum(itemConditions, dropTexts.conditionInvalid)

/** Where parcels are sent from, and within how many days after the end of the run. */
export const shipsFrom = z.enum(ORIGIN_COUNTRIES, shipTexts.fromInvalid)
const isShipDays = (typed: string) => wholeNumber.test(typed) && Number(typed) >= 1 && Number(typed) <= MAX_SHIP_DAYS
export const shipsWithin = z.optional(
  z.pipe(
    unlessEmpty(trimmed().check(z.refine(isShipDays, shipTexts.withinInvalid))),
    z.transform((typed: string | undefined) => (typed === undefined ? undefined : Number(typed))),
  ),
)
export const shippingNote = trimmed().check(...maxCharacters(MAX_SHIPPING_NOTE, dropTexts.shippingNoteTooLong))
export const digitalFileUrl = unlessEmpty(
  z.string().check(z.trim(), ...maxCharacters(2_000, dropTexts.linkInvalid), z.refine(isLink, dropTexts.linkInvalid)),
)
/**
 * A date and time. It is in the seller's time zone unless it contains an offset from UTC.
 * lib/drops/start/start-rules.ts parses it.
 */
export const moment = z.string().check(z.trim(), ...maxCharacters(40, startTexts.invalid))

/** Converts a whole number that is sent as a string. Any other value is passed on unchanged. */
export const typedNumber = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'string' && wholeNumber.test(value.trim()) ? Number(value) : value,
  ),
  z.unknown(),
)
export const runQuantity = z.pipe(
  typedNumber,
  z
    .int(dropTexts.quantityInvalid)
    .check(z.minimum(1, dropTexts.quantityInvalid), z.maximum(MAX_QUANTITY, dropTexts.quantityInvalid)),
)

/** The duration of a new drop, and how many units one buyer may buy, as the create form sends them. */
export const typedDuration = z.pipe(
  z._default(z.string(), String(DEFAULT_DURATION)),
  z.pipe(
    z.string().check(
      z.trim(),
      z.refine((typed) => DURATIONS.some((hours) => String(hours) === typed), dropTexts.durationInvalid),
    ),
    z.transform(Number),
  ),
)
export const typedLimit = z.optional(
  z.pipe(
    unlessEmpty(z.string().check(z.trim(), z.regex(/^(?:[1-9]|10)$/, dropTexts.maxPerBuyerInvalid))),
    z.transform((typed: string | undefined) => (typed === undefined ? undefined : Number(typed))),
  ),
)
/** The limit per buyer in an edit. An empty value removes it. */
export const changedLimit = z.optional(
  z.union([
    z.null(),
    z.pipe(
      z.literal(''),
      z.transform(() => null),
    ),
    z.pipe(
      typedNumber,
      z
        .int(dropTexts.maxPerBuyerInvalid)
        .check(z.minimum(1, dropTexts.maxPerBuyerInvalid), z.maximum(MAX_PER_BUYER, dropTexts.maxPerBuyerInvalid)),
    ),
  ]),
)

/**
 * The names that the contract gives to two choices of a new drop (docs/contract.md#calls-about-drops): `edition`
 * instead of `isOpenEdition` and `isNumbered`, and `perBuyer` instead of `maxPerBuyer`.
 */
export const otherNames = {
  edition: z.optional(z.enum(['open', 'numbered', ''], editionTexts.kindInvalid)),
  perBuyer: typedLimit,
}

/** Returns the fields of a form with the names that createDropFields has. */
export function withOwnNames({ edition: kind, perBuyer, ...form }: Record<string, string>): Record<string, string> {
  return {
    ...(kind === 'open' ? { isOpenEdition: 'true' } : {}),
    ...(kind === 'numbered' ? { isNumbered: 'true' } : {}),
    ...(perBuyer === undefined ? {} : { maxPerBuyer: perBuyer }),
    ...form,
  }
}

/**
 * Returns the problems of the fields with other names, which are reported under these names. A service cannot be
 * numbered, and a client that sent `edition` does not know the name `isNumbered`.
 */
export function otherNameIssues({ edition: kind, perBuyer, productType, isNumbered }: Record<string, string>) {
  const read = z.object(otherNames).safeParse({ edition: kind, perBuyer })
  const isService = kind === 'numbered' && isNumbered === undefined && productType === 'service'
  const problems: { path: PropertyKey[]; message: string }[] = [
    ...(read.error?.issues ?? []),
    ...(isService ? [{ path: ['edition'], message: editionTexts.noService }] : []),
  ]
  return problems.map(({ path, message }) => ({ code: 'custom' as const, input: undefined, path, message }))
}
