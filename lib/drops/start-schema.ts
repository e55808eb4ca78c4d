import { z } from 'zod/mini'
import {
  digitalFileUrl,
  moment,
  priceCents,
  productType,
  shippingNote,
  title,
  typedNumber,
  unlessEmpty,
} from './field-schema'
import { dropTexts, missingFieldText } from './messages'
import { DURATIONS, MAX_IMAGES } from './rules'

/** The pictures that stay, by their addresses, in their new sequence: a list, or the same as JSON in a form. */
const keptImages = z.pipe(
  z.transform((given: unknown, { issues }) => {
    if (typeof given !== 'string') return given
    try {
      return JSON.parse(given) as unknown
    } catch {
      issues.push({ code: 'custom', input: given, message: dropTexts.keptImagesInvalid })
      return []
    }
  }),
  z
    .array(z.string().check(z.maxLength(200)), dropTexts.keptImagesInvalid)
    .check(z.maxLength(MAX_IMAGES, dropTexts.keptImagesInvalid)),
)

/** What may change until a scheduled drop starts, and not while it runs (docs/product.md#scheduled-start). */
export const beforeStart = {
  title: z.optional(title.check(z.minLength(1, missingFieldText('title')))),
  price: z.optional(priceCents),
  productType: z.optional(productType),
  shippingNote: z.optional(shippingNote),
  digitalFileUrl,
  duration: z.optional(z.pipe(typedNumber, z.literal(DURATIONS, dropTexts.durationInvalid))),
  /** `now` starts the drop at once. */
  startsAt: unlessEmpty(moment),
  keepImages: z.optional(keptImages),
}
export const beforeStartFields = Object.keys(beforeStart) as (keyof typeof beforeStart)[]
