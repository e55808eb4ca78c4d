import { z } from 'zod/mini'
import { earlyTexts } from './early-messages'
import { EARLY_LIMITS } from './early-rules'
import { typedNumber } from '../field-schema'

/** Off is sent as an empty value or as 0. */
const off = z.pipe(
  z.union([z.literal(''), z.literal('0'), z.literal(0), z.null()]),
  z.transform(() => null),
)

/** How many minutes before the start followers may buy; null for off. */
const minutes = z.union(
  [
    off,
    z.pipe(
      typedNumber,
      z
        .int(earlyTexts.invalid)
        .check(z.minimum(EARLY_LIMITS.least, earlyTexts.invalid), z.maximum(EARLY_LIMITS.most, earlyTexts.invalid)),
    ),
  ],
  earlyTexts.invalid,
)

const units = z.pipe(typedNumber, z.int(earlyTexts.unitsInvalid).check(z.minimum(1, earlyTexts.unitsInvalid)))

/** The fields about early access in the create call and in an edit (docs/product.md#early-access). */
export const earlyFields = {
  earlyMinutes: z.optional(minutes),
  /** Without this field followers may take half of the units. */
  earlyUnits: z.optional(units),
}

/** The same fields in the create form, as they are typed. */
export const earlyForm = { earlyMinutes: z.string(), earlyUnits: z.string() }
export const emptyEarlyForm = { earlyMinutes: '', earlyUnits: '' }

/** Returns early access as the create form sends it. If no number of units is sent, followers may take half of them. */
export const earlyTextsOf = ({ earlyMinutes, earlyUnits }: typeof emptyEarlyForm) => ({
  earlyMinutes,
  ...(earlyUnits.trim() ? { earlyUnits } : {}),
})
