import { z } from 'zod/mini'
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parsePriceCents } from '@/lib/kernel/money'
import { productTypes } from '@/lib/kernel/product-type'
import { toLine } from '@/lib/kernel/text'
import { dropTexts } from './messages'
import { MAX_QUANTITY, MAX_SHIPPING_NOTE, MAX_TITLE, slugProblem } from './rules'
import { startTexts } from './start-messages'

/** The fields that several of a drop's forms and calls have in common. */

export const trimmed = () => z.string().check(z.trim())

/** Parses a typed price into integer cents, or says what is wrong with it (docs/product.md#prices-and-quantities). */
function readPrice(typed: string): { cents: number } | { problem: string } {
  const cents = parsePriceCents(typed)
  if (cents === null || cents <= 0) return { problem: `${dropTexts.invalidPriceTitle}. ${dropTexts.invalidPrice}` }
  if (cents < MIN_PRICE_CENTS) return { problem: dropTexts.priceTooLow }
  if (cents > MAX_PRICE_CENTS) return { problem: dropTexts.priceTooHigh }
  return { cents }
}

/** Whether this is a link that a buyer's browser can open safely. */
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

/** A field that may be left out or sent empty. */
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

export const title = z.string().check(z.overwrite(toLine), z.maxLength(MAX_TITLE, dropTexts.titleTooLong))
export const priceCents = z.pipe(
  price,
  z.transform((typed: string) => parsePriceCents(typed) ?? 0),
)
export const shippingNote = trimmed().check(z.maxLength(MAX_SHIPPING_NOTE, dropTexts.shippingNoteTooLong))
export const digitalFileUrl = unlessEmpty(
  z.string().check(z.trim(), z.maxLength(2_000, dropTexts.linkInvalid), z.refine(isLink, dropTexts.linkInvalid)),
)
/** A moment, in the seller's zone unless it says its distance to UTC; lib/drops/start-rules.ts reads it. */
export const moment = z.string().check(z.trim(), z.maxLength(40, startTexts.invalid))

/** A number, or a number as a string from a form. */
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
