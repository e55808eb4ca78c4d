import { z } from 'zod/mini'
import { optionTexts } from './option-messages'
import { readChoices, readNames, readOptionName, readValues, type TypedChoice, type TypedValue } from './option-rules'

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

/** The values in the edit form of a scheduled drop. Without values the drop has no option. */
export const valuesIfTyped = z.transform((typed: string | undefined, context) =>
  typed === undefined ? undefined : valuesOf(typed, 0, context),
)

/**
 * The values of an option that is changed or relaunched, as typed text, as JSON or as a list. Some may have no units.
 */
export const changedValues = z.pipe(
  z.unknown(),
  z.transform((given: unknown, context) => valuesOf(given, 0, context)),
)

/** The values of an option in an edit, where the schema does not know whether the edition is open. */
export const editedChoices = z.pipe(
  z.unknown(),
  z.transform((given: unknown, context) => choicesOf(readChoices(given, { least: 0 }), given, context)),
)

/** The values in the edit form of an open edition. Without values the drop has no option. */
export const namesIfTyped = z.transform((typed: string | undefined, context) =>
  typed === undefined ? undefined : choicesOf(readNames(typed), typed, context),
)

/** Reads typed text with units, and JSON with or without them. */
const readNewChoices = (typed: string) =>
  typed.trim().startsWith('[') ? readChoices(typed, { least: 1 }) : readValues(typed, { least: 1 })

function choicesOf(
  read: ReturnType<typeof readChoices>,
  given: unknown,
  { issues }: { issues: z.core.$ZodRawIssue[] },
): TypedChoice[] {
  if (!('problem' in read)) return read.values
  issues.push({ code: 'custom', input: given, message: read.problem })
  return []
}

/** Returns the values that a seller wrote. A problem with them is reported as an issue of the field. */
function valuesOf(given: unknown, least: 0 | 1, { issues }: { issues: z.core.$ZodRawIssue[] }): TypedValue[] {
  const read = readValues(given, { least })
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
