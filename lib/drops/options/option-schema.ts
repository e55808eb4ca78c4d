import { z } from 'zod/mini'
import { optionTexts } from './option-messages'
import { readChoices, readNames, readOptionName, readValues, type TypedChoice } from './option-rules'

/** The name of what buyers choose, such as "Size". */
export const optionName = z.string().check((context) => {
  const read = readOptionName(context.value)
  if ('problem' in read) context.issues.push({ code: 'custom', input: context.value, message: read.problem })
  else context.value = read.name
})

/**
 * The values of a new drop's option, as typed text or as JSON. Each value needs at least one unit, except in an open
 * edition, whose values have none (openGoods).
 */
export const newValues = z.transform((typed: string | undefined, context) =>
  typed === undefined ? undefined : choicesOf(readNewChoices(typed), typed, context),
)

/** The values in the edit form of a scheduled limited edition. Without values the drop has no option. */
export const valuesIfTyped = z.transform((typed: string | undefined, context) =>
  typed === undefined ? undefined : choicesOf(readValues(typed, { least: 0 }), typed, context),
)

/**
 * The values of an option that is changed or relaunched, as typed text, as JSON or as a list. A value may have 0 units.
 */
export const changedValues = z.pipe(
  z.unknown(),
  z.transform((given: unknown, context) => choicesOf(readValues(given, { least: 0 }), given, context)),
)

/**
 * The values of an option in the call that edits a drop. The call does not say whether the edition is open, so they may
 * have units or not.
 */
export const editedChoices = z.pipe(
  z.unknown(),
  z.transform((given: unknown, context) => choicesOf(readChoices(given, { least: 0 }), given, context)),
)

/** The values in the edit form of an open edition. Without values the drop has no option. */
export const namesIfTyped = z.transform((typed: string | undefined, context) =>
  typed === undefined ? undefined : choicesOf(readNames(typed), typed, context),
)

/** Reads typed text, in which each value has units, or JSON, in which the values may have none (an open edition). */
const readNewChoices = (typed: string) =>
  typed.trim().startsWith('[') ? readChoices(typed, { least: 1 }) : readValues(typed, { least: 1 })

/** Returns the values that were read. A problem with them is reported as an issue of the field. */
function choicesOf<Choice extends TypedChoice>(
  read: { values: Choice[] } | { problem: string },
  given: unknown,
  { issues }: { issues: z.core.$ZodRawIssue[] },
): Choice[] {
  if (!('problem' in read)) return read.values
  issues.push({ code: 'custom', input: given, message: read.problem })
  return []
}

/** An option needs both a name and values. */
export const wholeOption = z.check<{ optionName?: string | undefined; options?: TypedChoice[] | undefined }>(
  (context) => {
    const { optionName: name, options } = context.value
    if ((name === undefined) === (options === undefined)) return
    const [path, message] =
      name === undefined ? ['optionName', optionTexts.nameMissing] : ['options', optionTexts.missing]
    context.issues.push({ code: 'custom', input: context.value, message, path: [path] })
  },
)
