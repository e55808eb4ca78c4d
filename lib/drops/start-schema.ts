import { z } from 'zod/mini'
import { digitalFileUrl, moment, priceCents, productType, shippingNote, title, typedNumber } from './field-schema'
import { dropTexts, missingFieldText } from './messages'
import { DURATIONS, MAX_IMAGES } from './rules'
import { startTexts } from './start-messages'

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
  /** `now` starts the drop right away. */
  startsAt: z.optional(moment.check(z.minLength(1, startTexts.missing))),
  keepImages: z.optional(keptImages),
}
export const beforeStartFields = Object.keys(beforeStart) as (keyof typeof beforeStart)[]
