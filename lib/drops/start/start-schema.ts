import { z } from 'zod/mini'
import { maxCharacters, maxItems } from '@/lib/kernel/max-characters'
import { earlyFields } from './early-schema'
import {
  condition,
  moment,
  priceCents,
  productType,
  shippingNote,
  shipsFrom,
  title,
  typedNumber,
} from '../field-schema'
import { dropTexts, missingFieldText } from '../messages'
import { optionName } from '../options/option-schema'
import { DURATIONS, MAX_IMAGES } from '../rules'
import { shipTexts } from '../delivery/ship-messages'
import { MAX_SHIP_DAYS } from '../delivery/ship-rules'
import { startTexts } from './start-messages'
import { shippingZones } from '../delivery/zone-schema'

/** The URLs of the pictures that stay, in their new order. They are sent as a list, or as JSON in a form. */
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
    .array(z.string().check(...maxCharacters(200)), dropTexts.keptImagesInvalid)
    .check(maxItems(MAX_IMAGES, dropTexts.keptImagesInvalid)),
)

/** An empty value, which removes what the field says. */
const emptied = z.pipe(
  z.union([z.literal(''), z.null()]),
  z.transform(() => null),
)

/** An empty name removes the option. */
const changedOption = z.union([emptied, optionName])

/**
 * The fields that may change until a scheduled drop starts, but not while it runs (docs/product.md#scheduled-start).
 */
export const beforeStart = {
  title: z.optional(title.check(z.minLength(1, missingFieldText('title')))),
  price: z.optional(priceCents),
  productType: z.optional(productType),
  condition: z.optional(condition),
  shippingNote: z.optional(shippingNote),
  /** An empty value means that the seller promises nothing. */
  shipsFrom: z.optional(z.union([emptied, shipsFrom])),
  shipsWithin: z.optional(
    z.union([
      emptied,
      z.pipe(
        typedNumber,
        z
          .int(shipTexts.withinInvalid)
          .check(z.minimum(1, shipTexts.withinInvalid), z.maximum(MAX_SHIP_DAYS, shipTexts.withinInvalid)),
      ),
    ]),
  ),
  /** An empty list means that the price includes shipping to all countries. */
  shippingZones: z.optional(shippingZones),
  duration: z.optional(z.pipe(typedNumber, z.literal(DURATIONS, dropTexts.durationInvalid))),
  /** `now` starts the drop right away. */
  startsAt: z.optional(moment.check(z.minLength(1, startTexts.missing))),
  ...earlyFields,
  /** The name of the option. A drop without an option also needs `options`. An empty value removes the option. */
  optionName: z.optional(changedOption),
  keepImages: z.optional(keptImages),
}
export const beforeStartFields = Object.keys(beforeStart) as (keyof typeof beforeStart)[]
