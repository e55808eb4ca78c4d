import { z } from 'zod/mini'
import { runQuantity, unlessEmpty } from './field-schema'
import { dropTexts } from './messages'
import { changedValues, namesIfTyped, valuesIfTyped } from './options/option-schema'
import { editDropSchema } from './schema'

/**
 * Returns the schema of the edit form, which has the fields of the call, new pictures and a new file for buyers.
 * @param leastQuantity the lowest allowed number of units: what the drop has now, or 1 for a scheduled drop. A drop
 *   with an option has the units of its values instead, which the server checks one by one.
 * @param drop.hasOption whether the drop has an option, so that the form has its values
 * @param drop.isScheduled whether the form may be saved without values, which removes the option
 * @param drop.isOpenEdition whether the values of the option have no units
 */
export const editDropFormSchema = (
  leastQuantity: number,
  {
    hasOption,
    isScheduled,
    isOpenEdition = false,
  }: { hasOption: boolean; isScheduled: boolean; isOpenEdition?: boolean },
) =>
  z.extend(editDropSchema, {
    quantity:
      hasOption && !isOpenEdition
        ? z.optional(runQuantity)
        : z.optional(runQuantity.check(z.refine((typed) => typed >= leastQuantity, dropTexts.quantityLower))),
    options: optionsOfForm(isScheduled, isOpenEdition),
    images: z.array(z.custom<File>()),
    /** The file that replaces what buyers get, or null. */
    digitalFile: z.nullable(z.custom<File>()),
  })

const typedText = unlessEmpty(z.string())

/** A live open edition may have its choices only changed, so an empty field is a mistake then. */
function optionsOfForm(isScheduled: boolean, isOpenEdition: boolean) {
  if (isOpenEdition) return z.optional(z.pipe(isScheduled ? typedText : z.optional(z.string()), namesIfTyped))
  return isScheduled ? z.optional(z.pipe(typedText, valuesIfTyped)) : z.optional(changedValues)
}

export type EditDropForm = z.input<ReturnType<typeof editDropFormSchema>>
export type EditedDrop = z.infer<ReturnType<typeof editDropFormSchema>>
