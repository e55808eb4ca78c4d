import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { badCountry } from './choices/country-messages'
import { checkoutTexts } from './messages'
import { MAX_UNITS_PER_ORDER } from '@/lib/orders/rules'

/** The fields that several schemas of purchases have in common. */

/** The format of Stripe's ids. It is checked so that no other string reaches a query. */
export const sessionIdSchema = z.string().check(z.regex(/^(?:cs|pi)_[A-Za-z0-9_]{8,200}$/))

/** The integer id of a drop. No drop has a larger one than the database allows, so a larger one is an unknown drop. */
export const dropNumber = z.pipe(
  z.int().check(z.positive()),
  z.transform((id: number) => Math.min(id, MAX_DATABASE_INT)),
)

export const quantity = z._default(
  z
    .int(checkoutTexts.badQuantity)
    .check(z.minimum(1, checkoutTexts.badQuantity), z.maximum(MAX_UNITS_PER_ORDER, checkoutTexts.badQuantity)),
  1,
)

/** The proof of work that an earlier response required (docs/contract.md#proof-of-work). */
const work = z.optional(z.string().check(z.regex(/^[\w-]{1,600}\.[0-9a-f]{40}(?:\.\d{1,9})?$/)))

/**
 * The chosen value of each option of a drop, by the option's name. Whether the drop has these options and values is
 * checked later, against its row.
 */
export const selectedVariants = z.record(
  z.string().check(...maxCharacters(100, checkoutTexts.badVariants)),
  z.string(checkoutTexts.badVariants).check(...maxCharacters(100, checkoutTexts.badVariants)),
  checkoutTexts.badVariants,
)
/**
 * A discount code as the buyer wrote it. Whether the drop has this code is checked later, against the drop's row, so
 * that the error can have its own text.
 */
const code = z.optional(z.string(checkoutTexts.badCode).check(...maxCharacters(100, checkoutTexts.badCode)))
/** The token of a follower's link. Whether it may buy is checked later, so that each reason can have its own text. */
const early = z.optional(z.string(checkoutTexts.badEarly).check(...maxCharacters(200, checkoutTexts.badEarly)))
/** The country that the order is shipped to. Whether the drop is shipped there is checked against the drop's row. */
export const chosenCountry = z.optional(z.string(badCountry).check(...maxCharacters(100, badCountry)))

/** What every way to buy a drop may send along. */
export const purchaseFields = { code, early, country: chosenCountry, work }
